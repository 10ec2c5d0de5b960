import { message } from '../../lib/messages/message.ts'
import { readRecipients } from '../../lib/recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { sweep } from '../drafts/undo.ts'

/** Adds typed or pasted recipients; several at once can be undone. */
export function add(store: ComposeStore, text: string): void {
  const read = readRecipients(text)
  const before = store.state.draft.recipients
  const recipients = [...before, ...read]
  const keys = new Set(before.map(({ key }) => key))
  const count = read.filter(({ key }) => keys.size < keys.add(key).size).length
  if (count > 1) sweep(store, message('{count} recipients added', { count }), { recipients })
  else store.write({ recipients })
}
