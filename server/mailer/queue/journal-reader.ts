import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { journalSuffix, type JournalKey } from './journal.ts'

/** The last entry of a claimed delivery in an orphaned journal. */
export type JournalEntry = { kind: 'intended' } | { kind: 'replied'; reply: string } | { kind: 'withdrawn' }

/** A journal of a process that ended without removing it. */
export interface OrphanedJournal {
  owner: string
  /** Identifies the sender that wrote it in the table of connection slots. */
  holder: string | null
  /** Undefined if the message of the delivery was not started. */
  find(key: JournalKey): JournalEntry | undefined
  /** Whether its last lines may be missing, because the machine itself crashed. */
  mayBeTruncated: boolean
  remove(): void
}

const entryLine = /^([IRN]) (\d+) ([0-9a-f-]{36})(?: (.*))?$/
const holderLine = /^H (\S+)$/
const bootLine = /^B (\S+)$/

/** Reads every journal in a folder; empty if the folder does not exist. `bootId` as for openJournal. */
export function readOrphanedJournals(folder: string, bootId: string | null): OrphanedJournal[] {
  return listFiles(folder).map((name) => {
    const path = join(folder, name)
    const { entries, boot, holder } = readEntries(readFileSync(path, 'utf8'))
    return {
      owner: name.slice(0, -journalSuffix.length),
      holder,
      find: ({ id, token }) => entries.get(`${id} ${token}`),
      mayBeTruncated: boot !== null && bootId !== null && boot !== bootId,
      remove: () => rmSync(path, { force: true }),
    }
  })
}

interface Entries {
  entries: Map<string, JournalEntry>
  boot: string | null
  holder: string | null
}

function readEntries(text: string): Entries {
  const entries = new Map<string, JournalEntry>()
  let boot: string | null = null
  let holder: string | null = null
  // A last line without a line feed was being written when the process ended: its message was not started.
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    boot ??= bootLine.exec(line)?.[1] ?? null
    holder ??= holderLine.exec(line)?.[1] ?? null
    const [, kind, id, token, reply = ''] = entryLine.exec(line) ?? []
    if (kind === undefined || id === undefined || token === undefined) continue
    entries.set(`${id} ${token}`, toEntry(kind, reply))
  }
  return { entries, boot, holder }
}

function toEntry(kind: string, reply: string): JournalEntry {
  if (kind === 'R') return { kind: 'replied', reply }
  return kind === 'N' ? { kind: 'withdrawn' } : { kind: 'intended' }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(journalSuffix))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Identifies this boot of the machine. Null on systems other than Linux. */
export function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null // Only Linux has it; elsewhere a power failure cannot be distinguished from a killed process.
  }
}
