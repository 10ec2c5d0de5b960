import { readRecipients } from '../lib/recipients.ts'
import type { ComposeStore } from './composer.ts'
import { sweep } from './sweep.ts'

/** Adds what somebody typed or pasted; several at once can be taken back. */
export function add(store: ComposeStore, text: string): void {
  const read = readRecipients(text)
  const recipients = [...store.state.draft.recipients, ...read]
  if (read.length > 1) sweep(store, `${read.length.toLocaleString()} recipients added`, { recipients })
  else store.write({ recipients })
}
