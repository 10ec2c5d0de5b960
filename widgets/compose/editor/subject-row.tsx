import { useId, useRef, type ComponentType, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { ComposeStore } from '../compose-types.ts'
import { useMessages } from '../../kit/text/text.tsx'

interface Control {
  readonly current: HTMLInputElement | HTMLTextAreaElement | null
}

/** What comes with the preview: a text in colours below a control that shows only its caret, and its completion. */
export interface WritingParts {
  Paint: ComponentType<{ text: string; control: Control }>
  Completion: ComponentType<{ store: ComposeStore; control: Control }>
}

/** Subject Line; Enter launches, for the browser takes Enter from a form whose button is disabled. */
export function SubjectRow({ store, parts }: { store: ComposeStore; parts: WritingParts | null }) {
  const t = useMessages()
  const { draft, readonly } = useSnapshot(store.state, { sync: true })
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.defaultPrevented) return
    event.preventDefault()
    void store.launch()
  }
  return (
    <div className="row subject">
      <label htmlFor={id}>{t('Subject Line')}</label>
      <span className="painted">
        {parts && <parts.Paint text={draft.subject} control={input} />}
        <input
          ref={input}
          id={id}
          value={draft.subject}
          autoComplete="off"
          readOnly={readonly.includes('subject')}
          onChange={(event) => store.write({ subject: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        {parts && <parts.Completion store={store} control={input} />}
      </span>
    </div>
  )
}
