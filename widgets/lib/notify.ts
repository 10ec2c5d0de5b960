import type { Message } from './messages/message.ts'

/** A short message that disappears after 5 s; it is translated when it is shown. */
export interface Toast extends Message {
  kind: 'success' | 'error' | 'info'
}

/** Shows a toast. Handed to a widget by its page; a widget that gets none brings its own. */
export type Notify = (toast: Toast) => void
