import { ref } from 'valtio/vanilla'
import type { Draft } from './compose-state.ts'
import type { ComposeStore } from './composer.ts'

/** Changes much at once; what stood there can be brought back. */
export function sweep({ state, write }: ComposeStore, text: string, change: Partial<Draft>): void {
  const before = Object.fromEntries(Object.keys(change).map((key) => [key, state.draft[key as keyof Draft]]))
  state.undo = { text, draft: ref(before) as Partial<Draft> }
  write(change)
}

/** Brings back what the last sweeping change put aside; once more, and that change is there again. */
export function takeBack(store: ComposeStore): void {
  if (store.state.undo !== null) sweep(store, 'Brought back.', store.state.undo.draft)
}
