import { useId, useRef, type ComponentType, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { ComposeStore } from '../compose-types.ts'
import { useMessages } from '../../kit/text/text.tsx'

interface Control {
  readonly current: HTMLInputElement | HTMLTextAreaElement | null
}

/** Loaded with the preview: coloured text below a control that shows only its caret, and completion. */
export interface WritingAids {
  SyntaxOverlay: ComponentType<{ text: string; control: Control }>
  Completion: ComponentType<{ store: ComposeStore; control: Control }>
  spliceSource: (source: string, edited: string) => string
}

/** Longest preheader, in characters; `contract/design/design.limits.ts` has it too. */
const preheaderMaxChars = 250

/** Subject Line, or the preheader; Enter launches, for the browser takes Enter from a form whose button is disabled. */
export function SubjectRow({
  store,
  aids,
  field = 'subject',
}: {
  store: ComposeStore
  aids: WritingAids | undefined
  field?: 'subject' | 'preheader'
}) {
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
    <div className={`row ${field}`}>
      <label htmlFor={id}>{t(field === 'subject' ? 'Subject Line' : 'Preheader')}</label>
      <span className="painted">
        {aids && <aids.SyntaxOverlay text={draft[field]} control={input} />}
        <input
          ref={input}
          id={id}
          value={draft[field]}
          {...(field === 'preheader' && {
            maxLength: preheaderMaxChars,
            placeholder: t('shown behind the subject in the inbox'),
          })}
          autoComplete="off"
          readOnly={readonly.includes(field)}
          onChange={(event) => store.write({ [field]: event.currentTarget.value })}
          onKeyDown={onKeyDown}
        />
        {aids && <aids.Completion store={store} control={input} />}
      </span>
    </div>
  )
}
