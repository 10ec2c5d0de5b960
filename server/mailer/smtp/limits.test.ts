import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { BufferPool } from './buffer-pool.ts'
import { MessageBody } from './message-body.ts'
import { ReplyReader } from './reply-reader.ts'
import { startSandboxServer } from './sandbox-server.ts'

describe('the reply of a mail server', () => {
  const read = (text: string) => new ReplyReader().read(Buffer.from(text))

  it('has 65,536 characters', () => {
    const unfinished = (chars: number) => () => read('250-'.padEnd(chars, 'x'))
    expect(unfinished(65_536)()).toEqual([])
    expect(unfinished(65_537)).toThrow('too long')
    // The lines before count, too.
    const second = (chars: number) => () => read(`250-${'x'.repeat(chars - 7)}\r\n250`)
    expect(second(65_536)()).toEqual([])
    expect(second(65_537)).toThrow('too long')
  })

  it('has a code of three digits', () => {
    expect(read('250 OK\r\n')).toEqual(['250 OK'])
    expect(() => read('25 OK\r\n')).toThrow('Not an SMTP reply')
    expect(() => read('2500 OK\r\n')).toThrow('Not an SMTP reply')
    expect(() => read('250-OK\r\n251 OK\r\n')).toThrow('Not an SMTP reply')
    expect(read('250-a\r\n250 b\r\n')).toEqual(['250-a\n250 b'])
  })
})

describe('buffers of mails', () => {
  it('are allocated in steps of 8 KiB', () => {
    const sizeFor = (bytes: number) => new BufferPool().acquire(bytes).length
    expect([1, 8192, 8193].map(sizeFor)).toEqual([8192, 8192, 16_384])
  })

  it('are used again up to 64 KiB, and 64 at most', () => {
    const isReused = (bytes: number) => {
      const pool = new BufferPool()
      const buffer = Buffer.alloc(bytes)
      pool.release(buffer)
      return pool.acquire(1) === buffer
    }
    expect([65_536, 65_537].map(isReused)).toEqual([true, false])
    const pool = new BufferPool()
    const released: Buffer[] = Array.from({ length: 65 }, () => Buffer.alloc(8192))
    for (const buffer of released) pool.release(buffer)
    const acquired = released.map(() => pool.acquire(1))
    expect(acquired.filter((buffer) => released.includes(buffer))).toHaveLength(64)
  })
})

describe('a mail as a stream', () => {
  it('is read in pieces of 65,536 bytes', async () => {
    const sizes = async (bytes: number) => {
      const chunks = await new MessageBody(Buffer.alloc(bytes), () => undefined).toArray()
      return chunks.map((chunk: Buffer) => chunk.length)
    }
    expect(await sizes(65_536)).toEqual([65_536])
    expect(await sizes(65_537)).toEqual([65_536, 1])
  })
})

it('the sandbox takes mails of 42 MiB', async () => {
  const sandbox = await startSandboxServer({ inbox: { insert: () => Promise.resolve() }, log: silentLog })
  const socket = connect(sandbox.port, '127.0.0.1')
  const reader = new ReplyReader()
  /** The replies to a command. */
  const ask = async (command: string) => {
    socket.write(command)
    for (;;) {
      const [chunk] = (await once(socket, 'data')) as [Buffer]
      const replies = reader.read(chunk)
      if (replies.length > 0) return replies.join('\n')
    }
  }
  try {
    await ask('')
    expect(await ask('EHLO here\r\n')).toMatch(/^250[ -]SIZE 44040192$/m)
    expect(await ask('MAIL FROM:<ann@example.com> SIZE=44040193\r\n')).toMatch(/^552/)
    expect(await ask('MAIL FROM:<ann@example.com> SIZE=44040192\r\n')).toMatch(/^250/)
  } finally {
    socket.destroy()
    await sandbox.close()
  }
})
