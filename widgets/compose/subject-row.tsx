import { useId, useRef, type ComponentType, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { ComposeStore } from './compose-store.ts'

/** Draws a text in colours below a control that shows only its caret; comes with the preview. */
export type PaintComponent = ComponentType<{ text: string; control: { readonly current: HTMLElement | null } }>

/** Subject Line; Enter launches, for the browser takes Enter from a form whose button is disabled. */
export function SubjectRow({ store, Paint }: { store: ComposeStore; Paint: PaintComponent | undefined }) {
  const { draft } = useSnapshot(store.state, { sync: true })
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    void store.launch()
  }
  return (
    <div className="row subject">
      <label htmlFor={id}>Subject Line</label>
      <span className="painted">
        {Paint && <Paint text={draft.subject} control={input} />}
        <input
          ref={input}
          id={id}
          value={draft.subject}
          autoComplete="off"
          onChange={(event) => store.write({ subject: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
      </span>
    </div>
  )
}
