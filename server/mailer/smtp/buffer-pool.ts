const granularityBytes = 8 * 1024
/** Larger mails are rare, and what holds one is not worth keeping. */
const keptMaxBytes = 64 * 1024
const keptMaxCount = 64

/**
 * Memory that mails are built in, used again once they are sent: what holds a mail lies outside the heap, and making it
 * anew for each costs more than building the mail.
 */
export class BufferPool {
  readonly #kept: Buffer[] = []

  /** At least so many bytes, with whatever stands in them. */
  acquire(minBytes: number): Buffer {
    const kept = this.#kept.pop()
    if (kept && kept.length >= minBytes) return kept
    return Buffer.allocUnsafeSlow(Math.ceil(minBytes / granularityBytes) * granularityBytes)
  }

  /** Nobody reads it any more. */
  release(bytes: Buffer): void {
    if (bytes.length <= keptMaxBytes && this.#kept.length < keptMaxCount) this.#kept.push(bytes)
  }
}
