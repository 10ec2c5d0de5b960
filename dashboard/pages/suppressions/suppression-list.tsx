import { useCallback, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { Suppression } from '../../../contract/audience/suppression.ts'
import { Button } from '../../../widgets/kit/button.tsx'
import { check, trash } from '../../../widgets/kit/icons.ts'
import { EmptyState } from '../../../widgets/kit/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ListPanel } from '../../kit/list-panel.tsx'
import { reasonLabels } from './reason-labels.ts'
import type { SuppressionFilter, SuppressionsStore } from './suppressions-store.ts'

const reasons = [
  { value: '', text: 'All reasons' },
  ...Object.entries(reasonLabels).map(([value, { word }]) => ({ value, text: word })),
]

/** Who must not be written to, newest first, with why and since when. */
export function SuppressionList({ store }: { store: SuppressionsStore }) {
  const { list } = store
  useEffect(() => list.start(), [list])
  const shown = useSnapshot(list.state)
  const find = useCallback((search: string) => void list.find({ search }), [list])
  const { search, reason } = shown.filter
  const columns: Column<Suppression>[] = [
    { label: 'Address', cell: ({ email }) => <b className="row-title">{email}</b> },
    { label: 'Why', cell: (one) => <Why {...one} /> },
    { label: 'Since', cell: ({ created_at: since }) => <Time iso={since} /> },
    {
      label: 'Actions',
      align: 'end',
      cell: (one) => (
        <Button
          kind="quiet"
          size="small"
          icon={trash}
          aria-label={`Remove ${one.email}`}
          onClick={() => store.open({ asked: one })}
        >
          Remove
        </Button>
      ),
    },
  ]
  return (
    <ListPanel
      name="Suppressions"
      list={shown}
      count={shown.items.length}
      tools={{
        label: 'Search addresses',
        placeholder: 'Part of an address',
        search,
        onSearch: find,
        choice: { label: 'Reason', value: reason, options: reasons },
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
          title="No suppressed addresses"
          text="Mail can be sent to every address. Upload the suppression list of another tool as CSV to keep its unsubscribes."
        />
      }
    >
      <Table label="Suppressions" columns={columns} rows={shown.items} rowKey={({ id }) => id} />
    </ListPanel>
  )
}

function Why({ reason, detail, campaign_id: campaignId }: Suppression) {
  const { word, tone } = reasonLabels[reason]
  return (
    <span>
      <span className={`state-pill ${tone}`}>{word}</span>
      {campaignId !== null && (
        <>
          {' '}
          <a className="suppression-from" href={`/dashboard/campaigns#${campaignId}`}>
            from this campaign
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
