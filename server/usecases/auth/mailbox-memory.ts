import { hash } from 'node:crypto'
import type { Mailbox } from '../../domain/auth/caller.ts'

/** Mailboxes by key, as they were read for an earlier call. */
export interface MailboxMemory {
  /** The one a key belonged to, with a way to look again; null where none is remembered. */
  recall: (secretKey: string) => Mailbox | null
  keep: (secretKey: string, mailbox: Mailbox | null) => void
}

const keptMaxCount = 10_000

/** Holds no key in clear. What it gives may have changed: only its version tells, which whoever uses it has to compare. */
export function createMailboxMemory(lookAgain: (secretKey: string) => Promise<Mailbox>): MailboxMemory {
  const kept = new Map<string, Mailbox>()
  const nameOf = (secretKey: string) => hash('sha256', secretKey, 'base64')
  return {
    recall(secretKey) {
      const mailbox = kept.get(nameOf(secretKey))
      return mailbox ? { ...mailbox, lookAgain: () => lookAgain(secretKey) } : null
    },
    keep(secretKey, mailbox) {
      const name = nameOf(secretKey)
      kept.delete(name)
      if (!mailbox?.version) return
      const [oldest] = kept.keys()
      if (oldest !== undefined && kept.size >= keptMaxCount) kept.delete(oldest)
      kept.set(name, mailbox)
    },
  }
}
