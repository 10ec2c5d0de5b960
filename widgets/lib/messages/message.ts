import type { MessageId } from './messages-es.ts'
import type { Values, ValuesOf } from './messages.ts'

/** A message that is kept to be shown: `t(text, values)` translates it. */
export interface Message {
  text: string
  values?: Values | undefined
}

/** A message of the widgets for a store, which knows no language. */
export function message<Id extends MessageId>(text: Id, ...[values]: ValuesOf<Id>): Message {
  return { text, values: values }
}
