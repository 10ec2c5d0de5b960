import { Readable } from 'node:stream'

const chunkBytes = 64 * 1024

/**
 * A built mail as a stream. The connection reads it after the server's 354; `beforeFirstByte` runs synchronously at the
 * first read, and if it throws, nothing is sent.
 */
export class MessageBody extends Readable {
  /** Whether the whole mail was sent: from then on only the server knows whether it was accepted. */
  isHandedOver = false
  /** The error that `beforeFirstByte` threw. */
  refusal: Error | undefined = undefined
  readonly #mail: Buffer
  readonly #beforeFirstByte: () => void
  #at = 0

  constructor(mail: Buffer, beforeFirstByte: () => void) {
    super({ highWaterMark: chunkBytes })
    this.#mail = mail
    this.#beforeFirstByte = beforeFirstByte
  }

  override _read(): void {
    if (this.#at === 0) {
      try {
        this.#beforeFirstByte()
      } catch (error) {
        this.refusal = error instanceof Error ? error : new Error('Refused', { cause: error })
        this.destroy(this.refusal)
        return
      }
    }
    const end = this.#at + chunkBytes
    this.push(this.#mail.subarray(this.#at, end))
    this.#at = end
    if (end >= this.#mail.length) {
      this.isHandedOver = true
      this.push(null)
    }
  }
}
