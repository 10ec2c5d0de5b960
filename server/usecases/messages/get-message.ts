import type { IdPageQuery } from '../../domain/core/page.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { MessageRow } from '../../domain/messages/message.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** A message of the workspace, or of one of its mailboxes, with a page of its deliveries. Throws `message_not_found`. */
export function createGetMessage({ messages }: { messages: Pick<MessageStore, 'find'> }) {
  return async (
    scope: Scope,
    where: { id: string; mailboxId: string | null },
    page: IdPageQuery,
  ): Promise<MessageRow> => {
    const message = isRowId(where.id) ? await messages.find(scope, where, page) : null
    if (message === null) throw new AppError('message_not_found')
    return message
  }
}
