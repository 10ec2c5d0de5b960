/** A short note that leaves by itself. */
export interface Toast {
  kind: 'success' | 'error' | 'info'
  text: string
}

/** Shows a toast. Handed to a widget by its page; a widget that gets none brings its own. */
export type Notify = (toast: Toast) => void
