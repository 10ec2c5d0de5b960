import { accessSync, closeSync, constants, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { oneLine } from '../../domain/smtp/smtp-reply.ts'

/** Identifies a claimed delivery in a journal: its row and its claim token. */
export interface JournalKey {
  id: number
  token: string
}

/**
 * One file of the intent journal. Its owner is the lease owner of every row claimed under it, so the file identifies the
 * rows of a crashed process.
 */
export interface JournalSegment {
  readonly owner: string
  /** Call it before the first byte of a message is sent; when it returns, the entry survives a crash of this process. */
  intend(key: JournalKey): void
  /** Records the server's reply; written before the next intent or at the end of the current task. */
  reply(key: JournalKey, reply: string): void
  /** The message was not sent completely, so the server cannot have accepted it. */
  withdraw(key: JournalKey): void
  /** Call once for each claim, when the outcomes of all its rows are committed or it returned no rows. */
  release(): void
}

/** The intent journal of this process (docs/decisions/0003-intent-journal.md). */
export interface Journal {
  /** The segment for a new claim, held until its `release`. */
  hold(): JournalSegment
  /** Lease owners that may hold rows now. */
  owners(): string[]
  /** Closes all files. Those with unreleased claims remain for the next start. */
  close(): void
}

export interface JournalOptions {
  /** A folder that only this process uses. */
  folder: string
  newId: () => string
  /** Identifies this boot of the machine; null if unknown. A journal of an earlier boot may lack its last lines. */
  bootId: string | null
  /** Identifies the sender in the table of connection slots. */
  holder: string
  /** A file larger than this is replaced by a new one. Default 4 MB. */
  segmentMaxBytes?: number
}

const segmentDefaultBytes = 4 * 1024 * 1024
/** Suffix of journal file names; the rest of the name is the owner. */
export const journalSuffix = '.journal'

/** Opens a journal in a folder and creates the folder if needed. Throws errors of the file system. */
export function openJournal(options: JournalOptions): Journal {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 })
  accessSync(options.folder, constants.W_OK | constants.X_OK)
  const maxBytes = options.segmentMaxBytes ?? segmentDefaultBytes
  const segments = new Set<Segment>()
  const open = () => {
    const segment = new Segment(options, (removed) => segments.delete(removed))
    segments.add(segment)
    return segment
  }
  // Created before the sender acquires slots: recovery finds the holder in the file and releases them.
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

const brokenSentence = 'The intent journal accepts no more entries.'

class Segment implements JournalSegment {
  readonly owner: string
  bytes = 0
  /** A failed write leaves the end of the file undefined. */
  isBroken = false
  readonly #path: string
  readonly #file: number
  readonly #onRemoved: (segment: Segment) => void
  readonly #replies: string[] = []
  #heldCount = 0
  #isRetired = false

  constructor({ folder, newId, bootId, holder }: JournalOptions, onRemoved: (segment: Segment) => void) {
    this.owner = newId()
    this.#path = join(folder, this.owner + journalSuffix)
    this.#file = openSync(this.#path, 'ax', 0o600)
    this.#onRemoved = onRemoved
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
   * Batches replies until the next intent or the end of the current task. A reply lost in a crash leaves its row
   * `unknown`; no message was started after it.
   */
  #writeReplies(): void {
    if (this.#replies.length === 0 || this.isBroken) return
    try {
      this.#append(this.#replies.splice(0))
    } catch {
      // The segment is broken now: the next intent throws. The replies themselves are already in memory.
    }
  }

  release(): void {
    this.#heldCount -= 1
    this.#removeIfReleased()
  }

  /** Accepts no more claims; the file is removed when the last claim is released. */
  retire(): void {
    this.#isRetired = true
    this.#removeIfReleased()
  }

  close(): void {
    this.#writeReplies()
    // The system may reuse the file descriptor at once: nothing must be written to it any more.
    this.isBroken = true
    closeSync(this.#file)
    if (this.#heldCount === 0) rmSync(this.#path, { force: true })
  }

  #removeIfReleased(): void {
    if (!this.#isRetired || this.#heldCount > 0) return
    this.close()
    this.#onRemoved(this)
  }

  /** Synchronous: data in the kernel's cache survives the end of the process. */
  #append(lines: readonly string[]): void {
    if (this.isBroken) throw new Error(brokenSentence)
    const bytes = Buffer.from(`${lines.join('\n')}\n`)
    this.isBroken = true
    if (writeSync(this.#file, bytes) !== bytes.length)
      throw new Error('The intent journal could not be written completely: disk full?')
    this.isBroken = false
    this.bytes += bytes.length
  }
}
