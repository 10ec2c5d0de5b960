import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { DeliveryState, MessageDelivery } from '../../../contract/mail/message.ts'
import { createDeliveryActs } from '../../../widgets/compose/progress/delivery-acts-store.ts'
import type { ProgressStore } from '../../../widgets/compose/progress/progress-store.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import { deliveryLabels } from '../campaigns/campaign-labels.ts'

const shownCount = 100

type Row = Pick<MessageDelivery, 'recipient' | 'state' | 'attempts' | 'replies' | 'next_attempt_at'>

/** The recipients of a message with their attempts, and what can be done about those that failed. */
export function MessageRecipients({ store }: { store: ProgressStore }) {
  const t = useText()
  const { counts, rows, subject, trouble, act } = useSnapshot(store.state)
  const [isWhole, setWhole] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  const failed = counts.failed ?? 0
  const list = rows as readonly Row[]
  return (
    <section className="panel" aria-label={t('Recipients')}>
      <div className="message-head">
        <h2>{t('Recipients')}</h2>
        <p role="status">
          {Object.entries(deliveryLabels)
            .filter(([state]) => (counts[state as DeliveryState] ?? 0) > 0)
            .map(([state, { word, tone }]) => (
              <span key={state} className={`state-pill ${tone}`}>
                {`${(counts[state as DeliveryState] ?? 0).toLocaleString(t.lang)} ${t(word)}`}
              </span>
            ))}
        </p>
        {failed > 0 && (
          <Button size="small" busy={act === 'busy'} onClick={() => void createDeliveryActs(store).retry(setNote)}>
            {t('Resend to {number} failed', { number: failed })}
          </Button>
        )}
      </div>
      {(note ?? trouble) !== null && (
        <p className="list-old" role="alert">
          {t(note ?? trouble ?? '')}{' '}
          {note !== null && <a href="/dashboard/suppressions">{t('See the suppressed addresses')}</a>}
        </p>
      )}
      {subject === null ? (
        <SkeletonRows widths={['46%', '58%']} />
      ) : (
        <Table
          label={t('Recipients')}
          columns={columnsOf(t)}
          rows={isWhole ? list : list.slice(0, shownCount)}
          rowKey={({ recipient }) => recipient}
        />
      )}
      {!isWhole && list.length > shownCount && (
        <div className="list-pager">
          <Button size="small" onClick={() => setWhole(true)}>
            {t('Show all {number}', { number: list.length })}
          </Button>
        </div>
      )}
    </section>
  )
}

const columnsOf = (t: Translate<string>): Column<Row>[] => [
  {
    label: t('Address'),
    cell: ({ recipient }) => (
      <b className="row-title" translate="no">
        {recipient}
      </b>
    ),
  },
  {
    label: t('State'),
    cell: ({ state }) => (
      <span className={`state-pill ${deliveryLabels[state].tone}`}>{t(deliveryLabels[state].word)}</span>
    ),
  },
  { label: t('Attempts'), cell: ({ attempts }) => attempts.toLocaleString(t.lang) },
  {
    label: t('Mail server’s replies'),
    cell: ({ replies = [], state, next_attempt_at: next }) => (
      <span className="message-replies">
        {replies.length === 0 && '–'}
        {replies.map(({ at, reply }, index) => (
          <span key={index}>
            <Time iso={at} /> <span translate="no">{reply}</span>
          </span>
        ))}
        {state === 'deferred' && next !== null && (
          <span>{richText(t, 'Next attempt {time}', { time: <Time iso={next} /> })}</span>
        )}
      </span>
    ),
  },
]
