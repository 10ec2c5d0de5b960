import type { MailboxRow } from '../../domain/mailboxes/mailbox.ts'

interface Ports {
  mailboxes: {
    list: (
      workspaceId: string,
      page: { limit: number; offset: number },
    ) => Promise<{ rows: MailboxRow[]; total: number }>
  }
}

/** The workspace's mailboxes, oldest first. */
export function createListMailboxes({ mailboxes }: Ports) {
  return (workspaceId: string, page: { limit: number; offset: number }) => mailboxes.list(workspaceId, page)
}
