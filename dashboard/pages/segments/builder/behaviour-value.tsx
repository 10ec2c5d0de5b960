import { useText } from '../../../../widgets/kit/text/text.tsx'
import { DaysValue, type ValueProps } from './days-value.tsx'
import { RuleControl } from './rule-control.tsx'
import type { Row } from './rule-draft.ts'

/** Period, frequency and campaigns of a rule on mails. */
export function BehaviourValue(props: ValueProps) {
  const { row } = props
  const isNot = row.op === 'never' || row.op === 'not_within'
  const isOnce = row.subject === 'behaviour:unsubscribed'
  return (
    <>
      {(row.op === 'within' || row.op === 'not_within') && <DaysValue {...props} />}
      {(row.times !== '1' || (!isOnce && !isNot)) && <Times {...props} />}
      <Source {...props} />
    </>
  )
}

function Times({ store, row, problemAt }: ValueProps) {
  const t = useText()
  return (
    <>
      <span className="rule-word">{t('at least')}</span>
      <RuleControl label={t('Number of mails')} problem={problemAt('times')} className="rule-control narrow">
        {(control) => (
          <input
            {...control}
            className="rule-input"
            inputMode="numeric"
            value={row.times}
            onChange={(event) => store.changeRow(row.key, { times: event.currentTarget.value })}
          />
        )}
      </RuleControl>
      <span className="rule-word">{t('times')}</span>
    </>
  )
}

function Source({ store, row, problemAt }: ValueProps) {
  const t = useText()
  const { key, source, lastCount, campaigns } = row
  return (
    <>
      <RuleControl label={t('Which mails')} problem={source === 'campaigns' ? problemAt('source') : null}>
        {(control) => (
          <select
            {...control}
            className="rule-input"
            value={source}
            onChange={(event) => store.changeRow(key, { source: event.currentTarget.value as Row['source'] })}
          >
            <option value="any">{t('any mail')}</option>
            <option value="last">{t('of the last campaigns')}</option>
            {campaigns.length > 0 && (
              <option value="campaigns">
                {t('of {count} chosen campaign|of {count} chosen campaigns', { count: campaigns.length })}
              </option>
            )}
          </select>
        )}
      </RuleControl>
      {source === 'last' && (
        <RuleControl label={t('Number of campaigns')} problem={problemAt('source')} className="rule-control narrow">
          {(control) => (
            <input
              {...control}
              className="rule-input"
              inputMode="numeric"
              value={lastCount}
              onChange={(event) => store.changeRow(key, { lastCount: event.currentTarget.value })}
            />
          )}
        </RuleControl>
      )}
    </>
  )
}
