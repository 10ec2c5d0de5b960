const granularityBytes = 8 * 1024
/** Larger mails are rare; their buffers are not pooled. */
const bufferMaxBytes = 64 * 1024
const freeMaxCount = 64

/**
 * Reuses the buffers of mails after they were sent: allocating off-heap memory for each mail costs more than building it.
 */
export class BufferPool {
  readonly #free: Buffer[] = []

  /** A buffer of at least `minBytes`, not cleared. */
  acquire(minBytes: number): Buffer {
    const free = this.#free.pop()
    if (free && free.length >= minBytes) return free
    return Buffer.allocUnsafeSlow(Math.ceil(minBytes / granularityBytes) * granularityBytes)
  }

  /** Returns a buffer that is not used any more. */
  release(bytes: Buffer): void {
    if (bytes.length <= bufferMaxBytes && this.#free.length < freeMaxCount) this.#free.push(bytes)
  }
}
