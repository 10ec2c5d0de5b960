import { useEffect, useId, useRef, useState } from 'react'
import type { FieldType } from '../../../contract/audience/segment-rule.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { pencil } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

export type Value = string | number | boolean

interface Props {
  label: string
  type: FieldType
  choices?: readonly string[]
  value: Value | null
  /** The value as it is read. */
  shown: string
  /** Keeps it; gives why it could not. */
  onSave: (value: Value | null) => Promise<string | null>
}

/** A value edited in place: Enter saves it, Esc discards the edit. */
export function EditableValue({ label, type, choices = [], value, shown, onSave }: Props) {
  const t = useText()
  const [isEdited, setIsEdited] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const wasEdited = useRef(false)
  useEffect(() => {
    if (!isEdited && wasEdited.current) button.current?.focus()
    wasEdited.current = isEdited
  }, [isEdited])
  return (
    <div className="contact-field">
      <dt>{label}</dt>
      <dd>
        {isEdited ? (
          <Editor
            label={label}
            type={type}
            choices={choices}
            value={value}
            onSave={onSave}
            onEnd={() => setIsEdited(false)}
          />
        ) : (
          <button
            type="button"
            ref={button}
            className="contact-value"
            aria-label={t('Change {label}: {value}', { label, value: shown || t('Empty') })}
            onClick={() => setIsEdited(true)}
          >
            <span className={shown === '' ? 'contacts-empty' : undefined}>{shown || t('Empty')}</span>
            <Icon of={pencil} size={14} />
          </button>
        )}
      </dd>
    </div>
  )
}

function Editor({
  label,
  type,
  choices,
  value,
  onSave,
  onEnd,
}: Pick<Props, 'label' | 'type' | 'value' | 'onSave'> & { choices: readonly string[]; onEnd: () => void }) {
  const t = useText()
  const id = useId()
  const [text, setText] = useState(value === null ? '' : String(value))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const control = useRef<HTMLInputElement & HTMLSelectElement>(null)
  useEffect(() => {
    control.current?.focus()
  }, [])
  const save = async () => {
    const read = readValue(type, text)
    if (read === undefined) {
      setProblem(t('Enter a number, such as 12.5'))
      return
    }
    setBusy(true)
    const found = await onSave(read)
    setBusy(false)
    setProblem(found)
    if (found === null) onEnd()
    else control.current?.focus()
  }
  const attributes = {
    ref: control,
    className: 'control',
    'aria-label': label,
    'aria-invalid': problem !== null || undefined,
    'aria-describedby': problem === null ? undefined : id,
    value: text,
  }
  const options =
    type === 'boolean'
      ? [
          { value: 'true', text: t('Yes') },
          { value: 'false', text: t('No') },
        ]
      : choices.map((choice) => ({ value: choice, text: choice }))
  return (
    <form
      noValidate
      className="contact-edit"
      onKeyDown={(event) => event.key === 'Escape' && onEnd()}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {type === 'boolean' || type === 'choice' ? (
        <select {...attributes} onChange={(event) => setText(event.currentTarget.value)}>
          <option value="">{t('Empty')}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...attributes}
          type={type === 'date' ? 'date' : 'text'}
          inputMode={type === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <Button size="small" kind="primary" type="submit" busy={busy}>
        {t('Save')}
      </Button>
      <Button size="small" onClick={onEnd}>
        {t('Cancel')}
      </Button>
      {problem !== null && (
        <p className="problem" id={id} role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

/** What is written, as the type takes it; null for nothing, undefined where it is no number. */
function readValue(type: FieldType, text: string): Value | null | undefined {
  const given = text.trim()
  if (given === '') return null
  if (type === 'boolean') return given === 'true'
  if (type !== 'number') return given
  const number = Number(given.replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}
