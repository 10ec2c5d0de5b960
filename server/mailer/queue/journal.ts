import { accessSync, closeSync, constants, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { oneLine } from '../../domain/smtp/smtp-reply.ts'

/** What a journal says of a claimed delivery: which row, under which claim. */
export interface JournalKey {
  id: number
  token: string
}

/**
 * One file of the intent journal. Its owner's name is the lease owner of every row claimed under it, so the file alone
 * tells what a process that died had on its hands.
 */
export interface JournalSegment {
  readonly owner: string
  /** To be called before a message's first byte leaves; once it returns, the entry outlives this process. */
  intend(key: JournalKey): void
  /** The server has answered; written before the next intent, or at the end of this turn. */
  reply(key: JournalKey, reply: string): void
  /** The message broke off before it was whole: the server cannot have taken it. */
  withdraw(key: JournalKey): void
  /** To be called once for each claim, when all of its rows are settled in the database, or none was got. */
  release(): void
}

/** The intent journal of this process (docs/decisions/0003-intent-journal.md). */
export interface Journal {
  /** The segment for a new claim, held until its `release`. */
  hold(): JournalSegment
  /** Owners under which rows may be held at this moment. */
  owners(): string[]
  /** Ends it. Files with claims that were not released stay for the next start. */
  close(): void
}

export interface JournalOptions {
  /** A folder of this process alone. */
  folder: string
  newId: () => string
  /** Names this run of the machine; null where it has no name. A journal of another run may lack its last lines. */
  bootId: string | null
  /** Names the sender where its connections are counted. */
  holder: string
  /** A file that has grown past this is left for a new one. Default 4 MB. */
  segmentMaxBytes?: number
}

const segmentDefaultBytes = 4 * 1024 * 1024
/** Ends the names of journal files; what precedes it is the owner. */
export const journalSuffix = '.journal'

/** Opens a journal in a folder, which is made if missing. Throws what the file system says. */
export function openJournal(options: JournalOptions): Journal {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  accessSync(options.folder, constants.W_OK | constants.X_OK)
  const maxBytes = options.segmentMaxBytes ?? segmentDefaultBytes
  const segments = new Set<Segment>()
  const open = () => {
    const segment = new Segment(options, (gone) => segments.delete(gone))
    segments.add(segment)
    return segment
  }
  // Before anything is counted as this sender's: whoever finds the file can give it back.
  let current: Segment | null = open()

  return {
    hold() {
      if (!current || current.isBroken || current.bytes > maxBytes) {
        current?.retire()
        current = open()
      }
      current.hold()
      return current
    },
    owners: () => [...segments].map(({ owner }) => owner),
    close() {
      for (const segment of segments) segment.close()
      segments.clear()
      current = null
    },
  }
}

const brokenSentence = 'The intent journal takes no more entries.'

class Segment implements JournalSegment {
  readonly owner: string
  bytes = 0
  /** A line that did not get through leaves the file's end in doubt. */
  isBroken = false
  readonly #path: string
  readonly #file: number
  readonly #onGone: (segment: Segment) => void
  readonly #replies: string[] = []
  #heldCount = 0
  #isRetired = false

  constructor({ folder, newId, bootId, holder }: JournalOptions, onGone: (segment: Segment) => void) {
    this.owner = newId()
    this.#path = join(folder, this.owner + journalSuffix)
    this.#file = openSync(this.#path, 'ax', 0o600)
    this.#onGone = onGone
    this.#append([`H ${holder}`, ...(bootId === null ? [] : [`B ${bootId}`])])
  }

  hold(): void {
    this.#heldCount += 1
  }

  intend({ id, token }: JournalKey): void {
    this.#append([...this.#replies.splice(0), `I ${id} ${token}`])
  }

  reply({ id, token }: JournalKey, reply: string): void {
    if (this.isBroken) throw new Error(brokenSentence)
    this.#replies.push(`R ${id} ${token} ${oneLine(reply)}`)
    if (this.#replies.length === 1) queueMicrotask(() => this.#writeReplies())
  }

  withdraw({ id, token }: JournalKey): void {
    this.#append([...this.#replies.splice(0), `N ${id} ${token}`])
  }

  /**
   * Replies are written with the next intent, or at the end of the turn they came in: one that is lost with the process
   * shows its row as unknown, and nothing was begun after it.
   */
  #writeReplies(): void {
    if (this.#replies.length === 0 || this.isBroken) return
    try {
      this.#append(this.#replies.splice(0))
    } catch {
      // The segment is broken from here on: the next intent says so, and these answers are known without it.
    }
  }

  release(): void {
    this.#heldCount -= 1
    this.#removeIfDone()
  }

  /** No further claims: the file goes when the last of its claims is released. */
  retire(): void {
    this.#isRetired = true
    this.#removeIfDone()
  }

  close(): void {
    this.#writeReplies()
    // The system may give the file's number to another one at once: nothing must be written to it from here on.
    this.isBroken = true
    closeSync(this.#file)
    if (this.#heldCount === 0) rmSync(this.#path, { force: true })
  }

  #removeIfDone(): void {
    if (!this.#isRetired || this.#heldCount > 0) return
    this.close()
    this.#onGone(this)
  }

  /** Written when it returns: what the kernel has taken survives the end of the process. */
  #append(lines: readonly string[]): void {
    if (this.isBroken) throw new Error(brokenSentence)
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    this.isBroken = true
    if (writeSync(this.#file, bytes) !== bytes.length) throw new Error('The intent journal is cut short: disk full?')
    this.isBroken = false
    this.bytes += bytes.length
  }
}
