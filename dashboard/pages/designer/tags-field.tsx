import { useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Field } from '../../../widgets/kit/form/field.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { x } from '../../../widgets/kit/icon/icons.ts'
import type { DesignerStore } from './designer-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** The context tags: Enter adds the input as a tag (spec §2), Backspace in an empty field removes the last one. */
export function TagsField({ store }: { store: DesignerStore }) {
  const t = useText()
  const { design, tagEntry } = useSnapshot(store.state, { sync: true })
  const input = useRef<HTMLInputElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault() // Would save the template.
      store.addEntry()
    } else if (event.key === 'Backspace' && tagEntry === '') {
      const last = design.tags.at(-1)
      if (last !== undefined) store.removeTag(last)
    }
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!/[,\n]/.test(text)) return
    event.preventDefault()
    store.addTags(text.replaceAll('\n', ','))
  }
  return (
    <Field label={t('Context tags')} hint={t('Names of the merge variables. Enter adds one.')}>
      {(control) => (
        <div className="tags" onClick={(event) => event.target === event.currentTarget && input.current?.focus()}>
          {design.tags.map((tag) => (
            <span key={tag} className="tag">
              {tag}
              <button
                type="button"
                aria-label={t('Remove {tag}', { tag })}
                onClick={() => {
                  store.removeTag(tag)
                  input.current?.focus()
                }}
              >
                <Icon of={x} size={14} />
              </button>
            </span>
          ))}
          <input
            {...control}
            ref={input}
            value={tagEntry}
            placeholder={design.tags.length === 0 ? 'first_name' : ''}
            autoCapitalize="off"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => store.typeTag(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            onBlur={() => store.addEntry()}
          />
        </div>
      )}
    </Field>
  )
}
