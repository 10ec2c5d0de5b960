import { useSnapshot } from 'valtio'
import type { Translate } from '../../../../widgets/lib/messages/messages.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { rowsOf } from './edit-draft.ts'
import { RuleControl } from './rule-control.tsx'
import { emptyRow, fieldOfSubject, type Row, type Subject } from './rule-draft.ts'
import { RuleMenu } from './rule-menu.tsx'
import { RuleValue } from './rule-value.tsx'
import { faultText, operatorChoices, subjectChoices, subjectLabel, typeOfRow, type RuleNames } from './rule-words.ts'
import type { SegmentStore } from './segment-store.ts'

/** A rule: what it asks about, how it compares, with what, and the people left after it. */
export function RuleRow({ store, row, number }: { store: SegmentStore; row: Row; number: number }) {
  const t = useText()
  const snapshot = useSnapshot(store.state)
  const { targets, faults } = snapshot
  const names = snapshot.names as RuleNames
  const { key, subject, op, isNegated } = row
  const fault = faults[key]
  const problem = fault && t(faultText(fault, row, targets))
  const problemAt = (...controls: string[]) => (fault && controls.includes(fault.control) ? problem : null)
  const name = t('Rule {number}', { number })
  const operators = operatorChoices(row, targets)
  return (
    <div className="rule-row" data-key={key} role="group" aria-label={name}>
      <div className="rule-fields">
        {isNegated && <span className="rule-not">{t('Not')}</span>}
        <RuleControl label={t('Field')} problem={problemAt('field', 'behaviour')}>
          {(control) => (
            <select
              {...control}
              className="rule-input"
              data-control="field"
              value={subject}
              onChange={(event) =>
                store.changeRow(key, withSubject(row, event.currentTarget.value as Subject, targets))
              }
            >
              <option value="" disabled>
                {t('Choose a field')}
              </option>
              <SubjectOptions row={row} names={names} t={t} />
            </select>
          )}
        </RuleControl>
        {operators.length > 0 && (
          <RuleControl label={t('Operator')} problem={problemAt('op')}>
            {(control) => (
              <select
                {...control}
                className="rule-input"
                value={op}
                onChange={(event) => store.changeRow(key, { op: event.currentTarget.value })}
              >
                {!operators.some(({ value }) => value === op) && (
                  <option value={op} disabled>
                    {t('Choose')}
                  </option>
                )}
                {operators.map(({ value, text }) => (
                  <option key={value} value={value}>
                    {t(text)}
                  </option>
                ))}
              </select>
            )}
          </RuleControl>
        )}
        {subject !== '' && (
          <RuleValue store={store} row={row} type={typeOfRow(row, targets)} names={names} problemAt={problemAt} />
        )}
      </div>
      <PeopleLeft store={store} row={row} />
      <RuleMenu store={store} part={row} name={name} />
    </div>
  )
}

function SubjectOptions({ row: { subject }, names, t }: { row: Row; names: RuleNames; t: Translate<string> }) {
  const groups = subjectChoices(names, subject)
  const isKnown = subject === '' || groups.some(({ choices }) => choices.some(({ value }) => value === subject))
  return (
    <>
      {groups.map(({ label, choices }) => (
        <optgroup key={label} label={t(label)}>
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {/* The label of a custom field is a person's own word. */}
              {typeof fieldOfSubject(value as Subject) === 'number' ? text : t(text)}
            </option>
          ))}
        </optgroup>
      ))}
      {!isKnown && <option value={subject}>{t(subjectLabel(subject, names) ?? 'Deleted field')}</option>}
    </>
  )
}

/** Another subject, with its first operator and without the old value where the type differs. */
function withSubject(
  row: Row,
  subject: Subject,
  targets: Parameters<typeof operatorChoices>[1],
): Partial<Omit<Row, 'kind' | 'key'>> {
  if (subject === row.subject) return {}
  const operators = operatorChoices({ subject, op: '' }, targets)
  const type = typeOfRow({ subject }, targets)
  const isSameType =
    type !== null && type === typeOfRow(row, targets) && operators.some(({ value }) => value === row.op)
  if (isSameType) return { subject }
  const { kind: _kind, key: _key, ...blank } = emptyRow(row.key)
  return { ...blank, isNegated: row.isNegated, subject, op: operators[0]?.value ?? '' }
}

/** How many people are left after the row; a dash as long as the rule is not complete. */
function PeopleLeft({ store, row }: { store: SegmentStore; row: Row }) {
  const t = useText()
  const { phase, steps } = useSnapshot(store.preview.state)
  const { root } = useSnapshot(store.state)
  const at = rowsOf(root).findIndex(({ key }) => key === row.key)
  const count = phase === 'exact' ? steps[at] : undefined
  const text =
    count === undefined ? (phase === 'counting' || phase === 'estimate' ? '…' : '–') : count.toLocaleString(t.lang)
  return (
    <span className="rule-left">
      <span className="hidden-text">{t('People left:')} </span>
      {text}
    </span>
  )
}
