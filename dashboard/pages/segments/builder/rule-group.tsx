import { useSnapshot } from 'valtio'
import { ruleLeavesMaxCount, ruleLevelsMaxCount } from '../../../../contract/audience/segment.limits.ts'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { plus } from '../../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { rowsOf } from './edit-draft.ts'
import { RuleControl } from './rule-control.tsx'
import type { Group } from './rule-draft.ts'
import { RuleMenu } from './rule-menu.tsx'
import { RuleRow } from './rule-row.tsx'
import type { SegmentStore } from './segment-store.ts'

/** Rows that are combined by 'all' or 'any'; groups among them are framed. */
export function RuleGroup({ store, group, level }: { store: SegmentStore; group: Group; level: number }) {
  const t = useText()
  const { key, join, isNegated, parts } = group
  const hasRoom = rowsOf(useSnapshot(store.state).root).length < ruleLeavesMaxCount
  const isOutermost = level === 1
  const name = join === 'all' ? t('All of these') : t('Any of these')
  return (
    <div
      className={isOutermost ? 'rule-group' : 'rule-group nested'}
      data-key={key}
      role="group"
      aria-label={isNegated ? t('Not: {name}', { name }) : name}
    >
      <div className="rule-group-head">
        {isNegated && <span className="rule-not">{t('Not')}</span>}
        <RuleControl label={t('How the rules combine')}>
          {(control) => (
            <select
              {...control}
              className="rule-input join"
              value={join}
              onChange={(event) =>
                store.changeGroup(key, { join: event.currentTarget.value === 'any' ? 'any' : 'all' })
              }
            >
              <option value="all">{t('All of these')}</option>
              <option value="any">{t('Any of these')}</option>
            </select>
          )}
        </RuleControl>
        {isOutermost && <span className="rule-left-head">{t('People left')}</span>}
        <RuleMenu store={store} part={group} isOutermost={isOutermost} name={name} />
      </div>
      {parts.map((part, index) =>
        part.kind === 'group' ? (
          <RuleGroup key={part.key} store={store} group={part} level={level + 1} />
        ) : (
          <RuleRow key={part.key} store={store} row={part} number={index + 1} />
        ),
      )}
      <div className="rule-group-foot">
        <Button size="small" icon={plus} data-control="add" disabled={!hasRoom} onClick={() => store.addRow(key)}>
          {t('Rule')}
        </Button>
        {level + 2 <= ruleLevelsMaxCount && (
          <Button size="small" icon={plus} disabled={!hasRoom} onClick={() => store.addGroup(group)}>
            {t('Group')}
          </Button>
        )}
        {!hasRoom && <span className="segment-note">{t('A segment has at most 100 rules.')}</span>}
      </div>
    </div>
  )
}
