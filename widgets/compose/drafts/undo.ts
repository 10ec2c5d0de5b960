import { ref } from 'valtio/vanilla'
import type { Draft } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import type { Message } from '../../lib/messages/message.ts'

/** Changes several parts at once; the previous content can be restored. */
export function sweep({ state, write }: ComposeStore, what: Message, change: Partial<Draft>): void {
  const before = Object.fromEntries(Object.keys(change).map((key) => [key, state.draft[key as keyof Draft]]))
  state.undo = { ...what, draft: ref(before) as Partial<Draft> }
  write(change)
}
