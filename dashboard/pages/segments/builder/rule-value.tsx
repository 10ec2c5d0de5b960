import { useId, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { FieldType } from '../../../../contract/audience/segment-rule.ts'
import { Icon } from '../../../../widgets/kit/icon/icon.tsx'
import { x } from '../../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { RuleControl } from './rule-control.tsx'
import { dayOperators, fieldOfSubject, valuelessOperators } from './rule-draft.ts'
import { BehaviourValue } from './behaviour-value.tsx'
import { DaysValue, type ValueProps } from './days-value.tsx'
import { columnValues, memberStateChoices, type Choice, type RuleNames } from './rule-words.ts'
import { suggestedValues, type SuggestedValues } from './value-suggestions.ts'

export interface RuleValueProps extends ValueProps {
  /** Of the row's field; null for another subject. */
  type: FieldType | null
  names: RuleNames
}

/** The value of a rule, with the control that its operator needs. */
export function RuleValue(props: RuleValueProps): ReactNode {
  const { row, type } = props
  const { subject, op } = row
  if (subject === 'list') return <ListValue {...props} />
  if (subject === 'segment') return <NamedValue {...props} />
  if (subject.startsWith('behaviour:')) return <BehaviourValue {...props} />
  if (type === null || valuelessOperators.has(op)) return null
  if (op === 'between') return <RangeValue {...props} />
  if (dayOperators.has(op)) return <DaysValue {...props} />
  if (type === 'number' || type === 'date') return <PlainValue {...props} />
  if (op === 'is_one_of') return <SeveralValues {...props} />
  const known = choicesOf(props)
  if (known !== null && (op === 'is' || op === 'is_not')) return <ChosenValue {...props} choices={known} />
  return <PlainValue {...props} />
}

/** The only values that a field can have; null where it can have any. */
function choicesOf({ row, type, names }: RuleValueProps): Choice[] | null {
  const field = fieldOfSubject(row.subject)
  const known = typeof field === 'string' ? columnValues[field] : undefined
  if (known !== undefined) return [...known]
  if (type !== 'choice') return null
  const own = names.fields.find(({ no }) => no === field)
  return own?.choices.map((value) => ({ value, text: value })) ?? null
}

function ChosenValue({ store, row, choices, problemAt }: RuleValueProps & { choices: readonly Choice[] }) {
  const t = useText()
  const isOwn = typeof fieldOfSubject(row.subject) === 'number'
  const isKnown = choices.some(({ value }) => value === row.value)
  return (
    <RuleControl label={t('Value')} problem={problemAt('value')} className="rule-control wide">
      {(control) => (
        <select
          {...control}
          className="rule-input"
          value={row.value}
          onChange={(event) => store.changeRow(row.key, { value: event.currentTarget.value })}
        >
          {!isKnown && (
            <option value={row.value} disabled={row.value === ''}>
              {row.value === '' ? t('Choose a value') : row.value}
            </option>
          )}
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {isOwn ? text : t(text)}
            </option>
          ))}
        </select>
      )}
    </RuleControl>
  )
}

/** A list or a segment by its name. */
function NamedValue({ store, row, names, problemAt }: RuleValueProps) {
  const t = useText()
  const isList = row.subject === 'list'
  const all = isList ? names.lists : names.segments
  const isKnown = all.some(({ id }) => id === row.value)
  return (
    <RuleControl
      label={isList ? t('List') : t('Segment')}
      problem={problemAt('list', 'segment')}
      className="rule-control wide"
    >
      {(control) => (
        <select
          {...control}
          className="rule-input"
          value={row.value}
          onChange={(event) => store.changeRow(row.key, { value: event.currentTarget.value })}
        >
          {!isKnown && (
            <option value={row.value} disabled>
              {row.value === ''
                ? isList
                  ? t('Choose a list')
                  : t('Choose a segment')
                : isList
                  ? t('Deleted list')
                  : t('Deleted segment')}
            </option>
          )}
          {all.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </RuleControl>
  )
}

function ListValue(props: RuleValueProps) {
  const t = useText()
  const { store, row, problemAt } = props
  return (
    <>
      <NamedValue {...props} />
      <RuleControl label={t('State of the member')} problem={problemAt('state')}>
        {(control) => (
          <select
            {...control}
            className="rule-input"
            value={row.memberState}
            onChange={(event) => store.changeRow(row.key, { memberState: event.currentTarget.value })}
          >
            {memberStateChoices.map(({ value, text }) => (
              <option key={value} value={value}>
                {t(text)}
              </option>
            ))}
          </select>
        )}
      </RuleControl>
    </>
  )
}

/** Attributes of an input for one value of a type. */
const inputOf = (type: FieldType | null) =>
  type === 'date' ? ({ type: 'date' } as const) : type === 'number' ? ({ inputMode: 'decimal' } as const) : {}

function RangeValue({ store, row, type, problemAt }: RuleValueProps) {
  const t = useText()
  return (
    <>
      <RuleControl label={t('From')} problem={problemAt('value')}>
        {(control) => (
          <input
            {...control}
            {...inputOf(type)}
            className="rule-input"
            value={row.value}
            onChange={(event) => store.changeRow(row.key, { value: event.currentTarget.value })}
          />
        )}
      </RuleControl>
      <span className="rule-word">{t('and')}</span>
      <RuleControl label={t('To')}>
        {(control) => (
          <input
            {...control}
            {...inputOf(type)}
            aria-invalid={problemAt('value') ? true : undefined}
            className="rule-input"
            value={row.upTo}
            onChange={(event) => store.changeRow(row.key, { upTo: event.currentTarget.value })}
          />
        )}
      </RuleControl>
    </>
  )
}

function PlainValue({ store, row, type, names, problemAt }: RuleValueProps) {
  const t = useText()
  const listId = useId()
  const values = useSnapshot(store.suggestions.state).values as SuggestedValues
  const suggested = type === 'date' || type === 'number' ? [] : suggestedValues(row.subject, names.fields, values)
  return (
    <RuleControl label={t('Value')} problem={problemAt('value')} className="rule-control wide">
      {(control) => (
        <>
          <input
            {...control}
            {...inputOf(type)}
            className="rule-input"
            autoComplete="off"
            {...(suggested.length > 0 && { list: listId })}
            value={row.value}
            onFocus={() => void store.suggestions.load(row.subject)}
            onChange={(event) => store.changeRow(row.key, { value: event.currentTarget.value })}
          />
          <Suggestions id={listId} values={suggested} />
        </>
      )}
    </RuleControl>
  )
}

function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
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
function SeveralValues(props: RuleValueProps) {
  const { store, row, names, problemAt } = props
  const t = useText()
  const listId = useId()
  const [text, setText] = useState('')
  const loaded = useSnapshot(store.suggestions.state).values as SuggestedValues
  const known = choicesOf(props)
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
