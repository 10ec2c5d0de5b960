import type { MailboxRow } from '../../domain/mailboxes/mailbox.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  mailboxes: {
    list: (scope: Scope, page: { limit: number; offset: number }) => Promise<{ rows: MailboxRow[]; total: number }>
  }
}

/** The workspace's mailboxes, oldest first. */
export function createListMailboxes({ mailboxes }: Ports) {
  return (scope: Scope, page: { limit: number; offset: number }) => mailboxes.list(scope, page)
}
