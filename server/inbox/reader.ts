import { isDatabaseUnavailable } from '../domain/core/database-unavailable.ts'
import { serializeError } from '../domain/core/serialize-error.ts'
import type {
  FolderPosition,
  ReaderLease,
  ReadingBatch,
  ReadingMailbox,
  ReadingObstacle,
} from '../domain/inbox/reading.ts'
import { ImapError, type ImapOptions } from './connection.ts'
import { startSession, type MailboxSession } from './mailbox-session.ts'
import type { FindDelivery } from './read-mail.ts'

/** Thrown by `commit` where another process has the lease. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
}

/** What a held mailbox has now. */
export interface HeldReader {
  workspaceId: string
  mailboxId: string
  token: string
  isReading: boolean
  credentialsVersion: number
  /** A caller waits for a check that is requested since the last one. */
  isCheckWanted: boolean
}

export interface ReaderPorts {
  leases: {
    /** Takes up to `limit` due mailboxes for 60 s. */
    claim: (owner: string, limit: number) => Promise<ReaderLease[]>
    renew: (owner: string) => Promise<void>
    listHeld: (owner: string) => Promise<HeldReader[]>
    /** Gives a mailbox back, to be read again in `delayMs`; null: not until its owner acts. */
    release: (lease: ReaderLease, delayMs: number | null, attempts: number) => Promise<void>
    releaseAll: (owner: string) => Promise<void>
  }
  /** The mailbox with its login, or why it cannot be opened. */
  open: (lease: ReaderLease) => Promise<ReadingMailbox | ReadingObstacle>
  find: (lease: ReaderLease) => FindDelivery
  /** Addresses of the mailboxes of its workspace, in lower case. */
  listOwnAddresses: (lease: ReaderLease) => Promise<ReadonlySet<string>>
  listPositions: (lease: ReaderLease) => Promise<FolderPosition[]>
  keepFolders: (lease: ReaderLease, folders: readonly string[]) => Promise<void>
  /** Throws LeaseLostError. */
  commit: (lease: ReaderLease, batch: ReadingBatch) => Promise<void>
  setState: (
    lease: ReaderLease,
    state: 'live' | 'polling' | 'needs_consent' | 'refused' | 'failing',
    error: string | null,
    /** All folders have been read since so long ago; without it, none was read. */
    wholeMs?: number,
  ) => Promise<void>
  now: () => Date
  newId: () => string
  /** From 0 up to 1. */
  random: () => number
  log: { warn: (facts: Record<string, unknown>, text: string) => void }
  imap?: ImapOptions
  /** Intervals, for tests. */
  tickMs?: number
}

const connectionsMaxCount = 1000
const claimMaxCount = 50
const tickDefaultMs = 1000
const renewMs = 20_000
const pollMs = 10 * 60_000
const backoffMinutes = [1, 5, 15, 60]
/** A server that ends connections before this time, again and again, is asked less often. */
const shortMs = 60_000

export interface InboxReader {
  start: () => void
  stop: () => Promise<void>
}

/** Reads the mailboxes of all workspaces that this process holds the leases of. */
export function createInboxReader(ports: ReaderPorts): InboxReader {
  const owner = ports.newId()
  const sessions = new Map<
    string,
    { session: MailboxSession | null; lease: ReaderLease; version: number; done: Promise<void> }
  >()
  /** Connections in a row that the server ended soon, by mailbox. */
  const shortCounts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let ticking: Promise<void> | null = null
  let isStopped = false
  let renewedAt = 0

  const fail = async (lease: ReaderLease, error: unknown) => {
    if (error instanceof LeaseLostError || isDatabaseUnavailable(error)) {
      await ports.leases.release(lease, 0, lease.attempts).catch(() => undefined)
      return
    }
    const problem = error instanceof ImapError ? error.problem : null
    if (problem === null)
      ports.log.warn({ err: serializeError(error), mailbox: lease.mailboxId }, 'A mailbox could not be read')
    if (problem === 'refused') {
      await ports.setState(lease, 'refused', null)
      await ports.leases.release(lease, null, lease.attempts + 1)
      return
    }
    const minutes = backoffMinutes[Math.min(lease.attempts, backoffMinutes.length - 1)] ?? 60
    // A connection that the server ended or put off is opened again soon, the first time.
    const isFirst = lease.attempts === 0 && (problem === 'lost' || problem === 'busy')
    if (!isFirst) await ports.setState(lease, 'failing', error instanceof ImapError ? error.message : null)
    const delayMs = isFirst ? 1000 : minutes * 60_000 * (0.8 + 0.4 * ports.random())
    await ports.leases.release(lease, delayMs, lease.attempts + 1)
  }

  const read = async (lease: ReaderLease, entry: { session: MailboxSession | null; version: number }) => {
    try {
      const opened = await ports.open(lease)
      if ('kind' in opened) {
        if (opened.kind !== 'gone') {
          await ports.setState(lease, opened.kind === 'not_offered' ? 'failing' : opened.kind, opened.sentence)
        }
        await ports.leases.release(lease, opened.kind === 'failing' ? 60_000 : null, lease.attempts + 1)
        return
      }
      entry.version = opened.credentialsVersion
      if (isStopped) return
      entry.session = startSession(opened, {
        find: ports.find(lease),
        listOwnAddresses: () => ports.listOwnAddresses(lease),
        commit: (batch) => ports.commit(lease, batch),
        listPositions: () => ports.listPositions(lease),
        keepFolders: (folders) => ports.keepFolders(lease, folders),
        async report(state, wholeMs) {
          lease.attempts = 0
          await ports.setState(lease, state, null, wholeMs)
        },
        now: ports.now,
        imap: ports.imap,
      })
      const startedAt = ports.now().getTime()
      const state = await entry.session.ended
      const isShort = ports.now().getTime() - startedAt < shortMs
      const shortCount = isShort ? (shortCounts.get(lease.mailboxId) ?? 0) + 1 : 0
      if (shortCount > 0 && state === 'live') shortCounts.set(lease.mailboxId, shortCount)
      else shortCounts.delete(lease.mailboxId)
      const againMs = Math.min(pollMs, 1000 * 2 ** Math.max(0, shortCount - 3))
      await ports.leases.release(lease, state === 'live' ? againMs : pollMs * (0.9 + 0.2 * ports.random()), 0)
    } catch (error) {
      await fail(lease, error)
    }
  }

  const begin = (lease: ReaderLease) => {
    const entry: { session: MailboxSession | null; lease: ReaderLease; version: number; done: Promise<void> } = {
      session: null,
      lease,
      version: 0,
      done: Promise.resolve(),
    }
    sessions.set(lease.mailboxId, entry)
    entry.done = read(lease, entry)
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error))
          ports.log.warn({ err: serializeError(error) }, 'A mailbox could not be given back')
      })
      .finally(() => sessions.delete(lease.mailboxId))
  }

  const tick = async () => {
    if (ports.now().getTime() - renewedAt >= renewMs && sessions.size > 0) {
      renewedAt = ports.now().getTime()
      await ports.leases.renew(owner)
    }
    if (sessions.size > 0) {
      const held = new Map((await ports.leases.listHeld(owner)).map((row) => [row.mailboxId, row]))
      for (const [mailboxId, { session, lease, version }] of sessions) {
        const row = held.get(mailboxId)
        const isOver = row?.token !== lease.token || !row.isReading
        const isChanged = row !== undefined && version !== 0 && row.credentialsVersion !== version
        if (isOver || isChanged) void session?.close()
        else if (row.isCheckWanted) session?.wake()
      }
    }
    const free = Math.min(claimMaxCount, connectionsMaxCount - sessions.size)
    if (free <= 0 || isStopped) return
    for (const lease of await ports.leases.claim(owner, free)) if (!sessions.has(lease.mailboxId)) begin(lease)
  }

  return {
    start() {
      timer = setInterval(() => {
        ticking ??= tick()
          .catch((error: unknown) => {
            if (!isDatabaseUnavailable(error))
              ports.log.warn({ err: serializeError(error) }, 'Mailboxes to read could not be listed')
          })
          .finally(() => {
            ticking = null
          })
      }, ports.tickMs ?? tickDefaultMs)
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await ticking
      await Promise.all(
        [...sessions.values()].map(async ({ session, done }) => {
          await session?.close()
          await done
        }),
      )
      await ports.leases.releaseAll(owner).catch(() => undefined)
    },
  }
}
