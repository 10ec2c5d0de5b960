import { useCallback, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { CampaignDelivery } from '../../../contract/mail/campaign-recipient.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { download, send } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useApp } from '../../app.ts'
import { Time } from '../../kit/time.tsx'
import { ListPanel } from '../../kit/list-panel.tsx'
import { saveCsv } from '../../kit/save-csv.ts'
import { deliveryLabels } from './campaign-labels.ts'
import { createRecipientsStore, type RecipientFilter } from './recipients-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'

const states = [
  { value: '', text: 'All states' },
  ...Object.entries(deliveryLabels).map(([value, { word }]) => ({ value, text: word })),
]

const columnsOf = (t: Translate<string>): Column<CampaignDelivery>[] => [
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
  {
    label: t('Mail server’s reply'),
    cell: ({ reply, state, next_attempt_at: next }) => (
      <span className="recipient-reply">
        <span translate="no">{reply ?? '–'}</span>
        {state === 'deferred' && next !== null && (
          <span>{richText(t, 'Next attempt {time}', { time: <Time iso={next} /> })}</span>
        )}
      </span>
    ),
  },
  { label: t('When'), cell: ({ settled_at: at }) => (at === null ? '–' : <Time iso={at} />) },
]

/** The recipients of a campaign in pages, filtered by address and state, with the replies of their mail servers. */
export function RecipientList({ campaign }: { campaign: Pick<Campaign, 'id' | 'name' | 'status'> }) {
  const t = useText()
  const { session, notify } = useApp()
  const { id, status } = campaign
  const [store] = useState(() => createRecipientsStore({ session, notify, id, isMoving: status !== 'draft' }))
  const { list } = store
  useEffect(() => list.start(), [list])
  const shown = useSnapshot(list.state)
  const { download: downloading } = useSnapshot(store.state)
  const find = useCallback((recipient: string) => void list.find({ recipient }), [list])
  const { recipient, state } = shown.filter
  return (
    <>
      <div className="recipients-head">
        <h2>{t('Recipients')}</h2>
        <Button
          size="small"
          icon={download}
          busy={downloading === 'busy'}
          onClick={() => void store.download((csv) => saveCsv(csv, 'recipients.csv'))}
        >
          {t('Download CSV')}
        </Button>
      </div>
      <ListPanel
        name={t('Recipients')}
        list={shown}
        count={shown.items.length}
        turns={['Previous', 'Next']}
        tools={{
          label: t('Search recipients'),
          placeholder: t('Part of an address'),
          search: recipient,
          onSearch: find,
          choice: { label: t('State'), value: state, options: states.map((one) => ({ ...one, text: t(one.text) })) },
          onChoice: (value) => void list.find({ state: value as RecipientFilter['state'] }),
        }}
        isFiltered={recipient.trim() !== '' || state !== ''}
        onAll={() => void list.find({ recipient: '', state: '' })}
        onRetry={() => void list.retry()}
        onTurn={(offset) => void list.turn(offset)}
        empty={
          <EmptyState
            level={2}
            icon={send}
            title={t('No recipients yet')}
            text={t('Added recipients are listed here.')}
          />
        }
      >
        <Table
          label={t('Recipients')}
          columns={columnsOf(t)}
          rows={shown.items}
          rowKey={({ recipient: address }) => address}
        />
      </ListPanel>
    </>
  )
}
