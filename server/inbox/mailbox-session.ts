import { setTimeout as sleep } from 'node:timers/promises'
import type { FolderPosition, FolderRole, ReadingMailbox } from '../domain/inbox/reading.ts'
import { openImap, type ImapConnection, type ImapOptions } from './connection.ts'
import { syncFolder, type SyncPorts } from './folder-sync.ts'

/** What a session needs of its mailbox; the lease is bound. */
export interface SessionPorts extends SyncPorts {
  listPositions: () => Promise<FolderPosition[]>
  /** Forgets folders that are gone. */
  keepFolders: (folders: readonly string[]) => Promise<void>
  /** Reports the state of reading, and that all folders have been read since `wholeMs` ago. */
  report: (state: 'live' | 'polling', wholeMs: number) => Promise<void>
  imap?: ImapOptions | undefined
}

export interface MailboxSession {
  /** Reads all folders now. */
  wake: () => void
  /** Resolves to the state at the end of a poll; rejects with ImapError. */
  ended: Promise<'live' | 'polling'>
  close: () => Promise<void>
}

/** Interval in which a live session reads the folders that are not open. */
const othersMs = 2 * 60_000
/** News within this time are read together. */
const gatherMs = 50

/**
 * Reads a mailbox over one connection: with IDLE until it is closed, for a mailbox that sends; else once. Without IDLE the
 * caller polls.
 */
export function startSession(mailbox: ReadingMailbox, ports: SessionPorts): MailboxSession {
  const closing = new AbortController()
  let wanted = Promise.withResolvers<null>()
  let connection: ImapConnection | null = null

  const wake = () => wanted.resolve(null)
  const nextWake = async () => {
    await Promise.race([wanted.promise, sleep(othersMs, undefined, { signal: closing.signal }).catch(() => undefined)])
    if (!closing.signal.aborted) await sleep(gatherMs)
    wanted = Promise.withResolvers()
  }

  const read = async (): Promise<'live' | 'polling'> => {
    connection = await openImap(mailbox.endpoint, mailbox.login, ports.imap)
    const opened = connection
    if (closing.signal.aborted) return 'polling'
    const ending = new AbortController()
    opened.onClosed(() => {
      ending.abort()
      wake()
    })
    const isOver = () => ending.signal.aborted || closing.signal.aborted
    const state = mailbox.isActive && opened.hasIdle ? 'live' : 'polling'
    const folders = await opened.listFolders()
    const positions = new Map((await ports.listPositions()).map((position) => [position.folder, position]))
    await ports.keepFolders(folders.map(({ folder }) => folder))
    // INBOX is read last and stays open, so that IDLE reports its news.
    const ordered = [
      ...folders.filter(({ role }) => role !== 'inbox'),
      ...folders.filter(({ role }) => role === 'inbox'),
    ]
    const sync = async ({ folder, role }: { folder: string; role: FolderRole }) => {
      if (closing.signal.aborted) return
      const position = await syncFolder(
        opened,
        mailbox,
        { folder, role, position: positions.get(folder) ?? null },
        ports,
      )
      if (position !== null) positions.set(folder, position)
    }
    let wholeAt = performance.now()
    for (const one of ordered) await sync(one)
    await ports.report(state, performance.now() - wholeAt)
    if (state === 'polling') return state
    opened.onNew(wake)
    while (!isOver()) {
      opened.idle()
      await nextWake()
      if (isOver()) break
      const isAll = performance.now() - wholeAt >= othersMs - 1000 || isForced
      isForced = false
      if (isAll) wholeAt = performance.now()
      for (const one of ordered) if (isAll || one.role === 'inbox') await sync(one)
      await ports.report(state, performance.now() - wholeAt)
    }
    return state
  }

  let isForced = false
  const readAndClose = async () => {
    try {
      return await read()
    } finally {
      await connection?.close()
    }
  }
  const ended = readAndClose()
  return {
    wake() {
      isForced = true
      wake()
    },
    ended,
    async close() {
      closing.abort()
      wake()
      await connection?.close()
      await ended.catch(() => undefined)
    },
  }
}
