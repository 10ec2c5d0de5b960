import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Mailbox } from '../../domain/auth/caller.ts'

/** Mailboxes by secret key, as read by an earlier call. */
export interface MailboxCache {
  /** The cached mailbox of a key, with a function that reloads it; null where there is none. */
  get: (secretKey: string) => Mailbox | null
  set: (secretKey: string, mailbox: Mailbox | null) => void
}

const keptMaxCount = 10_000

/** Holds no key in clear. A cached mailbox may have changed: callers compare its version. */
export function createMailboxCache(reload: (secretKey: string) => Promise<Mailbox>): MailboxCache {
  const kept = new LRUCache<string, Mailbox>({ max: keptMaxCount })
  const nameOf = (secretKey: string) => hash('sha256', secretKey, 'base64')
  return {
    get(secretKey) {
      const mailbox = kept.get(nameOf(secretKey))
      return mailbox ? { ...mailbox, reload: () => reload(secretKey) } : null
    },
    set(secretKey, mailbox) {
      const name = nameOf(secretKey)
      if (mailbox?.version) kept.set(name, mailbox)
      else kept.delete(name)
    },
  }
}
