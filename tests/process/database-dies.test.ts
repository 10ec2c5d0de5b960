import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasEnded } from '../../server/store/embedded/postmaster.ts'
import { processesNaming } from '../support/processes.ts'
import { startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const wait = { timeout: 30_000, interval: 100 }

/** The process of the server's own PostgreSQL. */
async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

async function send(server: ServerProcess, to: string): Promise<number> {
  const key = /ck_[\w-]+/.exec(server.printed().out)![0]
  const response = await fetch(`${server.url}/api/send-mail/${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipient_list: [to], subject: 'Hello', content: 'Good morning.' }),
  })
  await response.arrayBuffer()
  return response.status
}

const inbox = async (server: ServerProcess, to: string) =>
  (await (await fetch(`${server.url}/sandbox/messages?to=${to}`)).json()) as unknown[]

describe('a running server whose own PostgreSQL ends', () => {
  it.each(['SIGKILL', 'SIGINT'] as const)(
    'by %s starts it again, and goes on accepting and sending',
    async (signal) => {
      await using folder = await temporaryFolder()
      const dataDir = join(folder.path, 'data')
      await using server = await startServerProcess({ environment: { PORT: '0', DATA_DIR: dataDir } })
      expect(await send(server, 'before@example.com')).toBe(200)
      await expect.poll(() => inbox(server, 'before@example.com'), wait).toHaveLength(1)
      const first = await postmaster(dataDir)
      process.kill(first, signal)
      await expect.poll(() => hasEnded(first), wait).toBe(true)
      await expect.poll(() => send(server, 'after@example.com'), wait).toBe(200)
      await expect.poll(() => postmaster(dataDir), wait).not.toBe(first)
      await expect.poll(() => inbox(server, 'before@example.com'), wait).toHaveLength(1)
      await expect.poll(() => inbox(server, 'after@example.com'), wait).not.toEqual([])
      expect(await server.end('SIGTERM')).toBe(0)
      expect(await processesNaming(folder.path)).toEqual([])
    },
  )

  it('at the moment at which it is stopped leaves no process behind', async () => {
    await using folder = await temporaryFolder()
    const dataDir = join(folder.path, 'data')
    await using server = await startServerProcess({ environment: { PORT: '0', DATA_DIR: dataDir } })
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await server.end('SIGTERM')
    await expect.poll(() => processesNaming(folder.path), wait).toEqual([])
  })
})
