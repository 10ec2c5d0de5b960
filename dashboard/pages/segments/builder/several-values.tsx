import { useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '../../../../widgets/kit/icon/icon.tsx'
import { x } from '../../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import type { RuleValueProps } from './days-value.tsx'
import { RuleControl } from './rule-control.tsx'
import { fieldOfSubject } from './rule-draft.ts'
import { columnValues, knownChoices } from './rule-words.ts'
import { suggestedValues, type SuggestedValues } from './value-suggestions.ts'

/** Values that an input suggests. */
export function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  if (values.length === 0) return null
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}

/** Several values as chips: Enter adds what is typed, Backspace in the empty field removes the last one. */
export function SeveralValues({ store, row, type, names, problemAt }: RuleValueProps) {
  const t = useText()
  const listId = useId()
  const [text, setText] = useState('')
  const loaded = useSnapshot(store.suggestions.state).values as SuggestedValues
  const known = knownChoices(row.subject, type, names)
  const word = (value: string) => {
    const found = columnValues[String(fieldOfSubject(row.subject))]?.find((choice) => choice.value === value)
    return found === undefined ? value : t(found.text)
  }
  const suggested = (known?.map(({ value }) => value) ?? suggestedValues(row.subject, names.fields, loaded)).filter(
    (value) => !row.values.includes(value),
  )
  const set = (values: readonly string[]) => store.changeRow(row.key, { values })
  const add = (value = text) => {
    const entry = value.trim()
    setText('')
    if (entry !== '' && !row.values.includes(entry)) set([...row.values, entry])
  }
  return (
    <RuleControl label={t('Values')} problem={problemAt('value')} className="rule-control wide">
      {(control) => (
        <span className="rule-chips" data-invalid={control['aria-invalid']}>
          {row.values.map((value) => (
            <span className="rule-chip" key={value}>
              <span translate="no">{word(value)}</span>
              <button
                type="button"
                aria-label={t('Remove {value}', { value: word(value) })}
                onClick={(event) => {
                  event.currentTarget.closest('.rule-chips')?.querySelector('input')?.focus()
                  set(row.values.filter((other) => other !== value))
                }}
              >
                <Icon of={x} size={14} />
              </button>
            </span>
          ))}
          <input
            {...control}
            autoComplete="off"
            {...(suggested.length > 0 && { list: listId })}
            value={text}
            placeholder={row.values.length === 0 ? t('Type a value, then Enter') : ''}
            onFocus={() => void store.suggestions.load(row.subject)}
            onBlur={() => add()}
            onChange={(event) => {
              const { value } = event.currentTarget
              // A suggestion that is chosen needs no Enter.
              const { inputType } = event.nativeEvent as InputEvent
              if (inputType === 'insertReplacementText' && suggested.includes(value)) add(value)
              else setText(value)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') {
                event.preventDefault()
                add()
              } else if (event.key === 'Backspace' && text === '') set(row.values.slice(0, -1))
            }}
          />
          <Suggestions id={listId} values={suggested} />
        </span>
      )}
    </RuleControl>
  )
}
