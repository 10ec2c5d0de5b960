import type { SmtpSession } from '../smtp/smtp-job.ts'
import type { DeliveryBatch } from './delivery-batch.ts'

interface ConnectionPoolPorts {
  open: () => Promise<SmtpSession>
  batch: Pick<DeliveryBatch, 'take' | 'waitingCount' | 'inFlightCount'>
  messagesPerConnectionCount: () => number
  /** No connection can be opened, and none is open. */
  onOpenFailed: (error: unknown) => void
  /** A connection has nothing to do any more. */
  onIdle: () => void
}

/** The connections of one mailbox: as many as its rows keep busy, up to what it may have. */
export class ConnectionPool {
  readonly #slotCount: number
  readonly #ports: ConnectionPoolPorts
  readonly #sessions = new Set<SmtpSession>()
  readonly #opening = new Set<Promise<void>>()
  readonly #leaving = new Set<Promise<void>>()
  /** Whether opening one failed since the last time rows came. */
  #isRefused = false
  #isClosed = false

  constructor(slotCount: number, ports: ConnectionPoolPorts) {
    this.#slotCount = slotCount
    this.#ports = ports
  }

  /** Rows have come: puts connections to work, and opens more where they are wanted. */
  grow(): void {
    this.#isRefused = false
    this.wake()
    this.#grow()
  }

  wake(): void {
    for (const session of this.#sessions) session.wake()
  }

  /** Resolves when nothing is in flight and nothing is being opened. */
  async drain(): Promise<void> {
    this.#isClosed = true
    while (this.#opening.size > 0) await Promise.all(this.#opening)
    while (this.#ports.batch.inFlightCount > 0) await new Promise<void>((resolve) => (this.#onQuiet = resolve))
  }

  /** Says goodbye on all. */
  async quit(): Promise<void> {
    await Promise.all([...[...this.#sessions].map((session) => session.quit()), ...this.#leaving])
    this.#sessions.clear()
  }

  /** Cuts all of them. */
  destroy(): void {
    this.#isClosed = true
    for (const session of this.#sessions) session.destroy()
  }

  #onQuiet: (() => void) | null = null

  #grow(): void {
    const { batch } = this.#ports
    const wantedCount = Math.min(this.#slotCount, batch.waitingCount + batch.inFlightCount)
    // The first one tells whether the others can come about: a wrong password is tried once.
    const atOnceCount = this.#sessions.size === 0 ? 1 : wantedCount
    // What was refused once is tried again when nothing else is left.
    while (!this.#isClosed && this.#count < atOnceCount && (!this.#isRefused || this.#count === 0)) this.#openOne()
  }

  get #count(): number {
    return this.#sessions.size + this.#opening.size + this.#leaving.size
  }

  #openOne(): void {
    const opening = this.#ports.open().then(
      (session) => {
        this.#opening.delete(opening)
        this.#sessions.add(session)
        session.serve(
          () => this.#next(session),
          () => this.#idled(session),
        )
        this.#grow()
      },
      (error: unknown) => {
        this.#opening.delete(opening)
        this.#isRefused = true
        if (this.#sessions.size === 0) this.#ports.onOpenFailed(error)
      },
    )
    this.#opening.add(opening)
  }

  #next(session: SmtpSession) {
    return this.#isWorn(session) ? null : this.#ports.batch.take(session)
  }

  #idled(session: SmtpSession): void {
    if (!session.isOpen || this.#isWorn(session)) {
      this.#sessions.delete(session)
      this.#leave(session)
    }
    if (this.#ports.batch.inFlightCount === 0) this.#onQuiet?.()
    this.#ports.onIdle()
  }

  /** Its place is free once it is gone: the server counts it until then. */
  #leave(session: SmtpSession): void {
    const leaving = session.quit().then(() => {
      this.#leaving.delete(leaving)
      if (this.#ports.batch.waitingCount > 0) this.#grow()
    })
    this.#leaving.add(leaving)
  }

  #isWorn(session: SmtpSession): boolean {
    return session.usedCount >= this.#ports.messagesPerConnectionCount()
  }
}
