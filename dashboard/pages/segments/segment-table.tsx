import { useState } from 'react'
import type { Segment } from '../../../contract/audience/segment.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { copy, trash } from '../../../widgets/kit/icon/icons.ts'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { Time } from '../../kit/time.tsx'
import type { SegmentsStore } from './segments-store.ts'
import { UsedIn } from './used-in.tsx'

/** Rows that are shown at first, and with each press of the button below them. */
const shownStepCount = 100

/** The segments with their counts and where each is used. */
export function SegmentTable({
  segments,
  duplicating,
  store,
}: {
  segments: readonly Segment[]
  /** Those that are being duplicated, by id. */
  duplicating: readonly string[]
  store: SegmentsStore
}) {
  const t = useText()
  const [shownCount, setShownCount] = useState(shownStepCount)
  const columns: Column<Segment>[] = [
    {
      label: t('Name'),
      cell: ({ id, name }) => (
        <a className="segment-name" href={`/dashboard/segments/${id}`} translate="no">
          {name}
        </a>
      ),
    },
    { label: t('People'), cell: (segment) => <People {...segment} /> },
    { label: t('Used in'), cell: ({ used_by: uses }) => <UsedIn uses={uses} /> },
    { label: t('Changed'), cell: ({ updated_at: at }) => <Time iso={at} /> },
    {
      label: t('Actions'),
      align: 'end',
      cell: (segment) => (
        <span className="row-actions">
          <Button
            kind="quiet"
            size="small"
            icon={copy}
            disabled={duplicating.includes(segment.id)}
            aria-label={t('Duplicate {name}', { name: segment.name })}
            onClick={() => void store.duplicate(segment)}
          >
            {t('Duplicate')}
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon={trash}
            aria-label={t('Delete {name}', { name: segment.name })}
            onClick={() => store.ask(segment)}
          >
            {t('Delete')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <>
      <Table label={t('Segments')} columns={columns} rows={segments.slice(0, shownCount)} rowKey={({ id }) => id} />
      {segments.length > shownCount && (
        <div className="segment-more">
          <Button onClick={() => setShownCount(shownCount + shownStepCount)}>{t('Show more')}</Button>
        </div>
      )}
    </>
  )
}

/** The count of the last evaluation, with its time. */
function People({ member_count: count, evaluated_at: at, is_live: isLive }: Segment) {
  const t = useText()
  if (count === null) return <span className="segment-note">{t('Not counted yet')}</span>
  return (
    <span>
      {count.toLocaleString(t.lang)}
      {isLive && <span className="segment-note">{t('kept up to date')}</span>}
      {!isLive && at !== null && (
        <span className="segment-note">
          {t('counted')} <Time iso={at} />
        </span>
      )}
    </span>
  )
}
