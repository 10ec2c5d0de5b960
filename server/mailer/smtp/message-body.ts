import { Readable } from 'node:stream'

const chunkBytes = 64 * 1024

/**
 * A built mail on its way into a connection, which reads nothing of it before the server has said 354. `beforeFirstByte`
 * runs at that moment, synchronously; if it throws, not a byte leaves.
 */
export class MessageBody extends Readable {
  /** Whether all of it has left: from then on only the server can say what became of it. */
  isHandedOver = false
  /** What `beforeFirstByte` threw. */
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
