import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { HitBatch, HitPosition, RecordedHit } from '../../domain/tracking/hit.ts'
import { decodeHit, encodeHit } from './hit-record.ts'

export interface HitJournalOptions {
  /** A folder that only this process uses. */
  folder: string
  newId: () => string
  nowMs: () => number
  /** Bytes on disk that wait for the database. Default 1 GiB. */
  maxBytes?: number
  /** A file larger than this is followed by a new one. Default 16 MB. */
  segmentMaxBytes?: number
}

const maxDefaultBytes = 1024 ** 3
const segmentDefaultBytes = 16 * 1024 ** 2
/** From this share of the limit on only clicks are kept. */
const opensShare = 0.9
const readBytes = 256 * 1024
const suffix = '.hits'

/**
 * The local file of opens and clicks: a hit is in it before its client is answered, and survives the end of the process. Hits
 * of one turn of the event loop are written together.
 */
export class HitJournal {
  /** Identifies this journal in the database. */
  readonly writer: string
  readonly #folder: string
  readonly #nowMs: () => number
  readonly #maxBytes: number
  readonly #segmentMaxBytes: number
  /** Sizes of the files in bytes, oldest first. */
  readonly #segments = new Map<number, number>()
  readonly #pending: { bytes: Buffer; onWritten: (isKept: boolean) => void }[] = []
  #pendingBytes = 0
  #current: { segment: number; file: number } | null = null
  #onAppended: () => void = () => undefined

  /** Creates the folder if needed. Throws errors of the file system. */
  constructor({ folder, newId, nowMs, maxBytes, segmentMaxBytes }: HitJournalOptions) {
    this.#folder = folder
    this.#nowMs = nowMs
    this.#maxBytes = maxBytes ?? maxDefaultBytes
    this.#segmentMaxBytes = segmentMaxBytes ?? segmentDefaultBytes
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.writer = readWriter(join(folder, 'writer'), newId)
    const numbers = readdirSync(folder).flatMap((name) => (name.endsWith(suffix) ? Number.parseInt(name, 10) : []))
    for (const segment of numbers.toSorted((a, b) => a - b)) {
      this.#segments.set(segment, statSync(this.#pathOf(segment)).size)
    }
  }

  /** Bytes that are not released yet. */
  get bytes(): number {
    let bytes = this.#pendingBytes
    for (const size of this.#segments.values()) bytes += size
    return bytes
  }

  /**
   * Writes the hit at the end of this turn, then calls `onWritten`; false: it could not be kept. When the journal is nearly
   * full, opens are refused before clicks.
   */
  append(hit: RecordedHit, onWritten: (isKept: boolean) => void): void {
    const bytes = encodeHit(hit)
    const maxBytes = hit.kind === 'opened' ? this.#maxBytes * opensShare : this.#maxBytes
    if (this.bytes + bytes.length > maxBytes) {
      onWritten(false)
      return
    }
    this.#pending.push({ bytes, onWritten })
    this.#pendingBytes += bytes.length
    if (this.#pending.length === 1) setImmediate(() => this.#flush())
  }

  /** Calls back after hits were written. */
  onAppended(callback: () => void): void {
    this.#onAppended = callback
  }

  /** Hits after a place, at most `maxCount`; null at the end. The beginning of a journal is `{segment: 0, byteOffset: 0}`. */
  read({ segment, byteOffset }: HitPosition, maxCount: number): HitBatch | null {
    for (const [number, size] of this.#segments) {
      if (number < segment) continue
      const start = number === segment ? byteOffset : 0
      if (start >= size) continue
      const bytes = this.#readBytes(number, start, Math.min(size, start + readBytes))
      const hits: RecordedHit[] = []
      let at = 0
      while (hits.length < maxCount) {
        const decoded = decodeHit(bytes, at)
        if (decoded === null) break
        hits.push(decoded.hit)
        at = decoded.end
      }
      if (hits.length > 0) return { hits, next: { segment: number, byteOffset: start + at } }
      // The last hit of a file may be incomplete: the process ended before its client was answered.
    }
    return null
  }

  /** Deletes the files before a place, which the database has. */
  release({ segment }: HitPosition): void {
    for (const number of this.#segments.keys()) {
      if (number >= segment) return
      rmSync(this.#pathOf(number), { force: true })
      this.#segments.delete(number)
    }
  }

  close(): void {
    this.#flush()
    if (this.#current) closeSync(this.#current.file)
    this.#current = null
  }

  #flush(): void {
    const pending = this.#pending.splice(0)
    if (pending.length === 0) return
    const bytes = Buffer.concat(pending.map((one) => one.bytes))
    this.#pendingBytes = 0
    let isKept = false
    try {
      this.#write(bytes)
      isKept = true
    } catch {
      // Disk full: the end of the file is undefined, so the next hits go to another one.
      if (this.#current) closeSync(this.#current.file)
      this.#current = null
    }
    for (const { onWritten } of pending) onWritten(isKept)
    if (isKept) this.#onAppended()
  }

  /** Synchronous: data in the kernel's cache survives the end of the process. */
  #write(bytes: Buffer): void {
    if (this.#current && (this.#segments.get(this.#current.segment) ?? 0) > this.#segmentMaxBytes) {
      closeSync(this.#current.file)
      this.#current = null
    }
    this.#current ??= this.#open()
    const { segment, file } = this.#current
    if (writeSync(file, bytes) !== bytes.length) throw new Error('The hit journal could not be written completely')
    this.#segments.set(segment, (this.#segments.get(segment) ?? 0) + bytes.length)
  }

  #open(): { segment: number; file: number } {
    // Larger than any before, in the database too, whatever happened to the folder.
    const last = [...this.#segments.keys()].at(-1) ?? 0
    const segment = Math.max(this.#nowMs(), last + 1)
    const file = openSync(this.#pathOf(segment), 'ax', 0o600)
    this.#segments.set(segment, 0)
    return { segment, file }
  }

  #readBytes(segment: number, start: number, end: number): Buffer {
    const file = openSync(this.#pathOf(segment), 'r')
    try {
      const bytes = Buffer.allocUnsafe(end - start)
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, start))
    } finally {
      closeSync(file)
    }
  }

  #pathOf(segment: number): string {
    return join(this.#folder, `${segment}${suffix}`)
  }
}

function readWriter(path: string, newId: () => string): string {
  try {
    const writer = readFileSync(path, 'utf8').trim()
    if (writer !== '') return writer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const writer = newId()
  writeFileSync(path, writer, { mode: 0o600 })
  return writer
}
