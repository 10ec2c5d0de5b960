import type { MailboxLimits } from './providers.ts'
import type { SmtpSession } from './smtp-session.ts'

/** The connections of one mailbox: those at work and those at rest. */
export class Connections {
  readonly #open: () => Promise<SmtpSession>
  readonly #resting: SmtpSession[] = []
  readonly #alive = new Set<SmtpSession>()

  constructor(open: () => Promise<SmtpSession>) {
    this.#open = open
  }

  /** One at rest, else a new one. Rejects as `open` does. */
  async take(): Promise<SmtpSession> {
    for (let session = this.#resting.pop(); session; session = this.#resting.pop()) {
      if (session.isOpen) return session
      this.#alive.delete(session)
    }
    const session = await this.#open()
    this.#alive.add(session)
    return session
  }

  /** Takes one back: to rest, or to its end when it is closed or worn out. */
  async give(session: SmtpSession, limits: Pick<MailboxLimits, 'messagesPerConnectionCount'> | null): Promise<void> {
    if (session.isOpen && limits && session.usedCount < limits.messagesPerConnectionCount) {
      this.#resting.push(session)
      return
    }
    this.#alive.delete(session)
    await session.quit()
  }

  /** Says goodbye on those at rest. */
  async quit(): Promise<void> {
    const resting = this.#resting.splice(0)
    for (const session of resting) this.#alive.delete(session)
    await Promise.all(resting.map((session) => session.quit()))
  }

  /** Cuts all of them. */
  destroy(): void {
    this.#resting.length = 0
    for (const session of this.#alive) session.destroy()
    this.#alive.clear()
  }
}
