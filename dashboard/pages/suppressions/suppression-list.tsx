import { useCallback, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { Suppression } from '../../../contract/audience/suppression.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { check, trash } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ListPanel } from '../../kit/list-panel.tsx'
import { reasonLabels } from './reason-labels.ts'
import type { SuppressionFilter, SuppressionsStore } from './suppressions-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const reasons = [
  { value: '', text: 'All reasons' },
  ...Object.entries(reasonLabels).map(([value, { word }]) => ({ value, text: word })),
]

/** The suppressed addresses, newest first, with reason and date. */
export function SuppressionList({ store }: { store: SuppressionsStore }) {
  const t = useText()
  const { list } = store
  useEffect(() => {
    return list.start()
  }, [list])
  const shown = useSnapshot(list.state)
  const find = useCallback((search: string) => void list.find({ search }), [list])
  const { search, reason } = shown.filter
  const columns: Column<Suppression>[] = [
    { label: t('Address'), cell: ({ email }) => <b className="row-title">{email}</b> },
    { label: t('Why'), cell: (one) => <Why {...one} /> },
    { label: t('Since'), cell: ({ created_at: since }) => <Time iso={since} /> },
    {
      label: t('Actions'),
      align: 'end',
      cell: (one) => (
        <Button
          kind="quiet"
          size="small"
          icon={trash}
          aria-label={t('Remove {email}', { email: one.email })}
          onClick={() => store.open({ asked: one })}
        >
          {t('Remove')}
        </Button>
      ),
    },
  ]
  return (
    <ListPanel
      name={t('Suppressions')}
      list={shown}
      count={shown.items.length}
      tools={{
        label: t('Search addresses'),
        placeholder: t('Part of an address'),
        search,
        onSearch: find,
        choice: { label: t('Reason'), value: reason, options: reasons.map((one) => ({ ...one, text: t(one.text) })) },
        onChoice: (value) => void list.find({ reason: value as SuppressionFilter['reason'] }),
      }}
      isFiltered={search.trim() !== '' || reason !== ''}
      onAll={() => void list.find({ search: '', reason: '' })}
      onRetry={() => void list.retry()}
      onTurn={(offset) => void list.turn(offset)}
      empty={
        <EmptyState
          level={2}
          icon={check}
          title={t('No suppressed addresses')}
          text={t(
            'Mail can be sent to every address. Upload the suppression list of another tool as CSV to keep its unsubscribes.',
          )}
        />
      }
    >
      <Table label={t('Suppressions')} columns={columns} rows={shown.items} rowKey={({ id }) => id} />
    </ListPanel>
  )
}

function Why({ reason, detail, campaign_id: campaignId }: Suppression) {
  const t = useText()
  const { word, tone } = reasonLabels[reason]
  return (
    <span>
      <span className={`state-pill ${tone}`}>{t(word)}</span>
      {campaignId !== null && (
        <>
          {' '}
          <a className="suppression-from" href={`/dashboard/campaigns#${campaignId}`}>
            {t('from this campaign')}
          </a>
        </>
      )}
      {detail !== null && (
        <span className="suppression-reply" translate="no">
          {detail}
        </span>
      )}
    </span>
  )
}
