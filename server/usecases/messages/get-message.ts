import type { IdPageQuery } from '../../domain/core/page.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { MessageRow } from '../../domain/messages/message.ts'
import type { createMessageList } from '../../store/messages/message-list.ts'
import type { MessageStore } from '../../store/messages/message.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  messages: Pick<MessageStore, 'find'>
  messageList: Pick<ReturnType<typeof createMessageList>, 'findFigures'>
}

/** Which message; `withFigures`: with the opens and clicks of people. */
export interface WantedMessage {
  id: string
  mailboxId: string | null
  withFigures?: boolean
}

/** A message of the workspace, or of one of its mailboxes, with a page of its deliveries. Throws `message_not_found`. */
export function createGetMessage({ messages, messageList }: Ports) {
  return async (
    scope: Scope,
    { withFigures = false, ...where }: WantedMessage,
    page: IdPageQuery,
  ): Promise<MessageRow> => {
    const message = isRowId(where.id) ? await messages.find(scope, where, page) : null
    if (message === null) throw new AppError('message_not_found')
    return withFigures ? { ...message, figures: await messageList.findFigures(scope, where.id) } : message
  }
}
