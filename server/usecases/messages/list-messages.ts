import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import type { ListedMessageRow, MessageFilter } from '../../domain/messages/message.ts'
import type { createMessageList } from '../../store/messages/message-list.ts'

interface Ports {
  messageList: Pick<ReturnType<typeof createMessageList>, 'list'>
}

/** Messages of send calls, newest first. Throws `search_too_broad`. */
export function createListMessages({ messageList }: Ports) {
  return async (scope: Scope, page: PageQuery & MessageFilter): Promise<Listed<ListedMessageRow>> => {
    const listed = await messageList.list(scope, page)
    if (listed !== 'too_broad') return listed
    const msg = 'takes too long; search for a whole address, or add a filter'
    throw new AppError('search_too_broad', { items: [{ loc: ['query', 'search'], msg, type: 'search_too_broad' }] })
  }
}
