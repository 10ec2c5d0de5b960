import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { letter } from '../../tests/support/inbox/incoming.ts'
import { noDeliveries } from '../../tests/support/inbox/read-mail-ports.ts'
import { startScriptedImap, usualFolders, type ScriptedImap } from '../../tests/support/inbox/scripted-imap.ts'
import type { ReaderLease, ReadingBatch, ReadingMailbox } from '../domain/inbox/reading.ts'
import { ImapError, openImap, type ImapProblem } from './connection.ts'
import { syncFolder } from './folder-sync.ts'
import { createInboxReader, type ReaderPorts } from './reader.ts'

const now = new Date('2026-08-24T10:00:00Z')
const dayMs = 86_400_000

let imap: ScriptedImap
beforeAll(async () => {
  imap = await startScriptedImap()
})
beforeEach(() => {
  imap.store = usualFolders()
  imap.fault = null
})
afterAll(() => imap.close())

const endpoint = () => ({ host: '127.0.0.1', port: imap.port, security: 'none', isTrusted: true }) as const
const login = { user: 'studio@example.com', pass: 'app password' }

async function withInbox<T>(work: (connection: Awaited<ReturnType<typeof openImap>>) => Promise<T>): Promise<T> {
  const connection = await openImap(endpoint(), login)
  try {
    await connection.listFolders()
    await connection.examine('INBOX')
    return await work(connection)
  } finally {
    await connection.close()
  }
}

describe('what a server sends', () => {
  it('the first look at a mail has 32,768 bytes of its header', async () => {
    const subject = (chars: number) => {
      imap.store = usualFolders()
      const head = `Subject: ${'x'.repeat(chars - 'Subject: \r\n\r\n'.length)}`
      imap.store.append('INBOX', Buffer.from(`${head}\r\n\r\nHello\r\n`), now)
      return withInbox(async (connection) => (await connection.firstLook([1]))[0]?.headers.length)
    }
    expect([await subject(32_768), await subject(32_769)]).toEqual([32_768, 32_768])
  })

  /** The answer to a FETCH with literals of these sizes. */
  const answerOf = (sizes: readonly number[]) =>
    `* 1 FETCH (UID 1${sizes.map((bytes, at) => ` BODY[${at === 0 ? '' : at}] {${bytes}}\r\n${'x'.repeat(bytes)}`).join('')})\r\n`
  const sourceOf = (...sizes: number[]) => {
    imap.fault = (line, connection) => {
      if (!line.includes('UID FETCH')) return false
      connection.write(`${answerOf(sizes)}${line.split(' ', 1)[0]} OK Fetched\r\n`)
      return true
    }
    return withInbox(async (connection) => (await connection.sources([1])).get(1)?.length)
  }

  it('one literal has 256 KiB', async () => {
    expect(await sourceOf(262_144)).toBe(262_144)
    await expect(sourceOf(262_145)).rejects.toMatchObject({ problem: 'lost' })
  })

  it('one answer has 4 MiB, with the text around its literals', async () => {
    const others = Array.from({ length: 20 }, () => 200_000)
    const around = answerOf([...others, 100_000]).length - 100_000
    const withTotal = (bytes: number) => sourceOf(...others, bytes - around)
    expect(await withTotal(4_194_304)).toBe(200_000)
    await expect(withTotal(4_194_305)).rejects.toMatchObject({ problem: 'lost' })
  })
})

describe('a folder', () => {
  const mailbox: ReadingMailbox = {
    workspaceId: 'w',
    mailboxId: 'm',
    endpoint: { host: '127.0.0.1', port: 143, security: 'none', isTrusted: true },
    login,
    readingSince: new Date(0),
    isActive: true,
    credentialsVersion: 1,
  }

  /** Reads INBOX behind a position; the batches that were written. */
  async function sync(uidValidity: number): Promise<ReadingBatch[]> {
    const batches: ReadingBatch[] = []
    const position = { folder: 'INBOX', role: 'inbox', uidValidity, lastUid: 0 } as const
    await withInbox((connection) =>
      syncFolder(
        connection,
        mailbox,
        { folder: 'INBOX', role: 'inbox', position },
        {
          find: noDeliveries,
          listOwnAddresses: () => Promise.resolve(new Set<string>()),
          commit: (batch) => {
            batches.push(batch)
            return Promise.resolve()
          },
          now: () => now,
        },
      ),
    )
    return batches
  }
  const fill = (count: number) => {
    imap.store = usualFolders()
    for (let no = 0; no < count; no++)
      imap.store.append('INBOX', letter('friend@example.net', `Dinner ${no}`, 'At eight?'), now)
  }

  it('is written in batches of 100 mails', async () => {
    const seen = async (count: number) => {
      fill(count)
      return (await sync(1)).map(({ counts }) => counts.seen)
    }
    expect([await seen(100), await seen(101)]).toEqual([[100], [100, 1]])
  })

  it('is asked for the sources of 10 mails at a time', async () => {
    const fetches = async (count: number) => {
      fill(count)
      const before = imap.lines.length
      await sync(1)
      return imap.lines.slice(before).filter((line) => line.includes('BODY.PEEK[]')).length
    }
    expect([await fetches(10), await fetches(11)]).toEqual([1, 2])
  })

  it('whose UIDs are others than before is read again for 14 days', async () => {
    imap.store.append('INBOX', letter('friend@example.net', 'Dinner', 'Yes.'), new Date(now.getTime() - 14 * dayMs))
    imap.store.append(
      'INBOX',
      letter('friend@example.net', 'Lunch', 'No.'),
      new Date(now.getTime() - 14 * dayMs - 1000),
    )
    expect((await sync(2)).map(({ counts }) => counts.seen)).toEqual([1, 0])
  })
})

describe('the reader', () => {
  const lease = (no: number, attempts = 0): ReaderLease => ({
    workspaceId: 'w',
    mailboxId: `m${no}`,
    token: 't',
    attempts,
  })
  const done = () => Promise.resolve()
  const ports = (own: Partial<ReaderPorts>, leases: Partial<ReaderPorts['leases']>): ReaderPorts => ({
    leases: {
      claim: () => Promise.resolve([]),
      renew: done,
      listHeld: () => Promise.resolve([]),
      release: done,
      releaseAll: done,
      ...leases,
    },
    open: () => Promise.resolve({ kind: 'gone' }),
    find: () => noDeliveries,
    listOwnAddresses: () => Promise.resolve(new Set()),
    listPositions: () => Promise.resolve([]),
    keepFolders: done,
    commit: done,
    setState: done,
    now: () => now,
    newId: () => 'owner',
    random: () => 0.5,
    log: { warn: () => undefined },
    tickMs: 1,
    ...own,
  })

  it('takes 50 mailboxes at a time, up to 1,000', async () => {
    const opening = Promise.withResolvers<{ kind: 'gone' }>()
    const limits: number[] = []
    let count = 0
    let ticks = 0
    const full = Promise.withResolvers<null>()
    const reader = createInboxReader(
      ports(
        { open: () => opening.promise },
        {
          claim(_owner, limit) {
            limits.push(limit)
            // One less the first time: the last time only one has room.
            const taken = limits.length === 1 ? limit - 1 : limit
            count += taken
            return Promise.resolve(Array.from({ length: taken }, (_, no) => lease(count - no)))
          },
          listHeld: () => {
            if (count >= 1000 && ++ticks === 3) full.resolve(null)
            return Promise.resolve([])
          },
        },
      ),
    )
    reader.start()
    await full.promise
    opening.resolve({ kind: 'gone' })
    await reader.stop()
    expect(limits).toEqual([...Array.from({ length: 20 }, () => 50), 1])
  })

  /** When a mailbox is opened again that could not be opened, and with how many failures in a row. */
  async function againIn(attempts: number, problem: ImapProblem, random = 0.5): Promise<unknown[]> {
    const released = Promise.withResolvers<unknown[]>()
    const reader = createInboxReader(
      ports(
        { open: () => Promise.reject(new ImapError(problem, '')), random: () => random },
        {
          claim: () => Promise.resolve([lease(1, attempts)]),
          release: (_lease, delayMs, failures) => {
            released.resolve([delayMs === null ? null : Math.round(delayMs / 1000), failures])
            return done()
          },
        },
      ),
    )
    reader.start()
    const release = await released.promise
    await reader.stop()
    return release
  }

  it.each([
    [0, 60],
    [1, 300],
    [2, 900],
    [3, 3600],
    [4, 3600],
  ])('opens a mailbox that failed %s times before again in about %s s', async (attempts, seconds) => {
    expect(await againIn(attempts, 'unreachable')).toEqual([seconds, attempts + 1])
    expect(await againIn(attempts, 'unreachable', 0)).toEqual([0.8 * seconds, attempts + 1])
  })

  it('opens a mailbox whose server put it off again in 1 s, the first time', async () => {
    expect([await againIn(0, 'busy'), await againIn(1, 'busy')]).toEqual([
      [1, 1],
      [300, 2],
    ])
  })
})
