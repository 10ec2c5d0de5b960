import type { Accepted, NewMessage } from '../../domain/messages/message.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { Queryable } from '../core/database.ts'
import { systemWorkspaceId } from '../mailboxes/mailbox.ts'
import type { MessageStore } from '../messages/message.ts'

/** Accepts account mails. */
export interface AccountMails {
  /** In the transaction of `executor` if there is one. */
  accept: (mail: NewMessage, executor?: Queryable) => Promise<Accepted | null>
}

/** Account mails are messages of the system workspace. */
export function createAccountMails(messages: Pick<MessageStore, 'accept'>): AccountMails {
  const scope = authorize({ kind: 'system', task: 'account-mail' }, 'messages:send', systemWorkspaceId)
  return { accept: (mail, executor) => messages.accept(scope, mail, executor) }
}
