import type { Scope } from '../../domain/auth/scope.ts'
import type { PageQuery } from '../../domain/core/page.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Ports {
  mailboxes: Pick<MailboxStore, 'list'>
}

/** The workspace's mailboxes, oldest first. */
export function createListMailboxes({ mailboxes }: Ports) {
  return (scope: Scope, page: PageQuery) => mailboxes.list(scope, page)
}
