import type { SmtpSession } from '../smtp/smtp-job.ts'
import type { DeliveryBatch } from './delivery-batch.ts'

interface ConnectionPoolPorts {
  open: () => Promise<SmtpSession>
  batch: Pick<DeliveryBatch, 'take' | 'waitingCount' | 'inFlightCount'>
  messagesPerConnectionCount: () => number
  /** Opening a connection failed and no other is open. */
  onOpenFailed: (error: unknown) => void
  /** A connection has become idle. */
  onIdle: () => void
}

/** The SMTP connections of one mailbox. It grows with the number of deliveries, up to `slotCount`. */
export class ConnectionPool {
  readonly #slotCount: number
  readonly #ports: ConnectionPoolPorts
  readonly #sessions = new Set<SmtpSession>()
  readonly #opening = new Set<Promise<void>>()
  readonly #closing = new Set<Promise<void>>()
  /** Whether opening a connection has failed since the last call of `grow`. */
  #hasFailed = false
  #isClosed = false
  #onDrained: (() => void) | null = null

  constructor(slotCount: number, ports: ConnectionPoolPorts) {
    this.#slotCount = slotCount
    this.#ports = ports
  }

  /** Wakes idle connections and opens more if the batch needs them. Call it after adding deliveries. */
  grow(): void {
    this.#hasFailed = false
    this.wake()
    this.#openMissing()
  }

  wake(): void {
    for (const session of this.#sessions) session.wake()
  }

  /** Resolves when no message is in flight and no connection is being opened. */
  async drain(): Promise<void> {
    this.#isClosed = true
    while (this.#opening.size > 0) await Promise.all(this.#opening)
    while (this.#ports.batch.inFlightCount > 0) await new Promise<void>((resolve) => (this.#onDrained = resolve))
  }

  /** Sends QUIT on every connection. */
  async quit(): Promise<void> {
    await Promise.all([...[...this.#sessions].map((session) => session.quit()), ...this.#closing])
    this.#sessions.clear()
  }

  /** Destroys every connection at once. */
  destroy(): void {
    this.#isClosed = true
    for (const session of this.#sessions) session.destroy()
  }

  #openMissing(): void {
    const { batch } = this.#ports
    const wantedCount = Math.min(this.#slotCount, batch.waitingCount + batch.inFlightCount)
    // Until one connection is open, only one is tried: a wrong password causes one failed sign-in, not many.
    const targetCount = this.#sessions.size === 0 ? 1 : wantedCount
    // After a failure, open again only when no connection is left.
    while (!this.#isClosed && this.#count < targetCount && (!this.#hasFailed || this.#count === 0)) this.#openOne()
  }

  get #count(): number {
    return this.#sessions.size + this.#opening.size + this.#closing.size
  }

  #openOne(): void {
    const opening = this.#ports.open().then(
      (session) => {
        this.#opening.delete(opening)
        this.#sessions.add(session)
        session.serve(
          () => this.#next(session),
          () => this.#handleIdle(session),
        )
        this.#openMissing()
      },
      (error: unknown) => {
        this.#opening.delete(opening)
        this.#hasFailed = true
        if (this.#sessions.size === 0) this.#ports.onOpenFailed(error)
      },
    )
    this.#opening.add(opening)
  }

  #next(session: SmtpSession) {
    return this.#isExhausted(session) ? null : this.#ports.batch.take(session)
  }

  #handleIdle(session: SmtpSession): void {
    if (!session.isOpen || this.#isExhausted(session)) {
      this.#sessions.delete(session)
      this.#close(session)
    }
    if (this.#ports.batch.inFlightCount === 0) this.#onDrained?.()
    this.#ports.onIdle()
  }

  /** The slot stays occupied until the connection is closed, because the mail server counts it until then. */
  #close(session: SmtpSession): void {
    const closing = session.quit().then(() => {
      this.#closing.delete(closing)
      if (this.#ports.batch.waitingCount > 0) this.#openMissing()
    })
    this.#closing.add(closing)
  }

  #isExhausted(session: SmtpSession): boolean {
    return session.usedCount >= this.#ports.messagesPerConnectionCount()
  }
}
