import type { FieldType } from '../../../../contract/audience/segment-rule.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { RuleControl } from './rule-control.tsx'
import type { Row } from './rule-draft.ts'
import type { RuleNames } from './rule-words.ts'
import type { SegmentStore } from './segment-store.ts'

export interface ValueProps {
  store: SegmentStore
  row: Row
  /** What is wrong with one of these controls. */
  problemAt: (...controls: string[]) => string | null | undefined
}

/** Of a value whose control follows the type of the field. */
export interface RuleValueProps extends ValueProps {
  /** Of the row's field; null for another subject. */
  type: FieldType | null
  names: RuleNames
}

/** A number of days. */
export function DaysValue({ store, row, problemAt }: ValueProps) {
  const t = useText()
  return (
    <>
      <RuleControl label={t('Days')} problem={problemAt('value', 'within_days')} className="rule-control narrow">
        {(control) => (
          <input
            {...control}
            className="rule-input"
            inputMode="numeric"
            value={row.value}
            onChange={(event) => store.changeRow(row.key, { value: event.currentTarget.value })}
          />
        )}
      </RuleControl>
      <span className="rule-word">{t('days')}</span>
    </>
  )
}
