import type { PageQuery } from '../../domain/core/page.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { createMessageList } from '../../store/messages/message-list.ts'

interface Ports {
  messageList: Pick<ReturnType<typeof createMessageList>, 'list'>
}

/** Lists the messages of send calls, newest first. */
export function createListMessages({ messageList }: Ports) {
  return (scope: Scope, page: PageQuery) => messageList.list(scope, page)
}
