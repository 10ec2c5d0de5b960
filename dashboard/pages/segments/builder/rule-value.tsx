import { useId, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { FieldType } from '../../../../contract/audience/segment-rule.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { RuleControl } from './rule-control.tsx'
import { dayOperators, fieldOfSubject, valuelessOperators } from './rule-draft.ts'
import { BehaviourValue } from './behaviour-value.tsx'
import { DaysValue, type RuleValueProps } from './days-value.tsx'
import { knownChoices, memberStateChoices, type Choice } from './rule-words.ts'
import { SeveralValues, Suggestions } from './several-values.tsx'
import { suggestedValues, type SuggestedValues } from './value-suggestions.ts'

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
  const known = knownChoices(row.subject, type, props.names)
  if (known !== null && (op === 'is' || op === 'is_not')) return <ChosenValue {...props} choices={known} />
  return <PlainValue {...props} />
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
