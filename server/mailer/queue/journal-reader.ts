import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { journalSuffix, type JournalKey } from './journal.ts'

/** What a journal that was left behind says of one claim of one delivery. */
export type JournalEntry = { kind: 'intended' } | { kind: 'replied'; reply: string } | { kind: 'withdrawn' }

/** A journal that a process left behind. */
export interface OrphanedJournal {
  owner: string
  /** Names the sender that wrote it, where connections are counted. */
  holder: string | null
  /** Undefined for a claimed delivery that had not come to its message. */
  find(key: JournalKey): JournalEntry | undefined
  /** Whether its last lines may be missing, because the machine itself went down. */
  mayBeTruncated: boolean
  remove(): void
}

const entryLine = /^([IRN]) (\d+) ([0-9a-f-]{36})(?: (.*))?$/
const holderLine = /^H (\S+)$/
const bootLine = /^B (\S+)$/

/** Reads every journal in a folder; none if there is no folder. `bootId` as for openJournal. */
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
  // Without its line feed the last line was being written when the process ended: what it announces had not begun.
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

/** What names this run of the machine: it changes with each boot. Null where the system does not tell (not Linux). */
export function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return null // Told only on Linux; elsewhere a power cut cannot be told from a kill.
  }
}
