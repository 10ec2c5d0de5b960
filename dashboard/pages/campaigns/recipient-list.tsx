import { useCallback, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { CampaignDelivery } from '../../../contract/mail/campaign-recipient.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { download, send, users } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ListPanel } from '../../kit/list-panel.tsx'
import { saveCsv } from '../../kit/save-csv.ts'
import { useApp } from '../../app.ts'
import { useIsAnyReading } from '../replies/unread.ts'
import { reasonWords } from '../bounces/bounce-words.ts'
import { deliveryLabels } from './campaign-labels.ts'
import {
  actLabels,
  noRecipientFilter,
  queryOf,
  type RecipientFilter,
  type RecipientsStore,
} from './recipients-store.ts'
import { segmentRuleOf } from './recipients-rule.ts'
import { SaveAsListDialog } from './save-as-list-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'

const states = [
  { value: '', text: 'All states' },
  ...Object.entries(deliveryLabels).map(([value, { word }]) => ({ value, text: word })),
]

const acts = [{ value: '', text: 'Any result' }, ...Object.entries(actLabels).map(([value, text]) => ({ value, text }))]

/** The further filters, in words. */
function chipsOf(
  { link, reason, domain, mailbox }: Readonly<RecipientFilter>,
  rows: readonly Readonly<CampaignDelivery>[],
  t: Translate<string>,
): { name: string; text: string }[] {
  const address = rows.find(({ config_id: id }) => id === mailbox)?.mailbox ?? mailbox
  return [
    ...(link === '' ? [] : [{ name: 'link', text: t('Clicked link {number}', { number: link }) }]),
    ...(reason === '' ? [] : [{ name: 'reason', text: t('Bounced: {reason}', { reason: t(reasonWords(reason)) }) }]),
    ...(domain === '' ? [] : [{ name: 'domain', text: t('Domain is {domain}', { domain }) }]),
    ...(mailbox === '' ? [] : [{ name: 'mailbox', text: t('Mailbox is {address}', { address }) }]),
  ]
}

const columnsOf = (t: Translate<string>, campaignId: string, hasReplies: boolean): Column<CampaignDelivery>[] => [
  {
    label: t('Address'),
    cell: ({ recipient }) => (
      <a className="row-link" href={`#${campaignId}/${encodeURIComponent(recipient)}`} translate="no">
        <b className="row-title">{recipient}</b>
      </a>
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
  {
    label: t('Mailbox'),
    cell: ({ mailbox }) => (
      <span className="recipient-mailbox" translate="no">
        {mailbox}
      </span>
    ),
  },
  { label: t('When'), cell: ({ settled_at: at }) => <When at={at} /> },
  { label: t('Opened'), cell: ({ opened_at: at }) => <When at={at} /> },
  { label: t('Clicked'), cell: ({ clicked_at: at }) => <When at={at} /> },
  ...(hasReplies ? [{ label: t('Replied'), cell: ({ replied_at: at }: CampaignDelivery) => <When at={at} /> }] : []),
]

function When({ at }: { at: string | null }) {
  return at === null ? '–' : <Time iso={at} />
}

/** The recipients of a campaign in pages, filtered by address and state, with the replies of their mail servers. */
export function RecipientList({
  campaign,
  store,
}: {
  campaign: Pick<Campaign, 'id' | 'name'>
  store: RecipientsStore
}) {
  const t = useText()
  const [isSaving, setSaving] = useState(false)
  const isReading = useIsAnyReading(useApp().session)
  const { list } = store
  useEffect(() => {
    return list.start()
  }, [list])
  const shown = useSnapshot(list.state)
  const { download: downloading } = useSnapshot(store.state)
  const find = useCallback((recipient: string) => void list.find({ recipient }), [list])
  const { recipient, state, did } = shown.filter
  const chips = chipsOf(shown.filter, shown.items, t)
  return (
    <>
      <div className="recipients-head">
        <h2 tabIndex={-1}>{t('Recipients')}</h2>
        <Button size="small" icon={users} onClick={() => setSaving(true)}>
          {t('Save as list')}
        </Button>
        <Button
          size="small"
          icon={download}
          busy={downloading === 'busy'}
          onClick={() => void store.download((csv) => saveCsv(csv, 'recipients.csv'))}
        >
          {t('Download CSV')}
        </Button>
      </div>
      {isSaving && (
        <SaveAsListDialog
          campaign={campaign}
          query={queryOf(shown.filter)}
          count={shown.totalCount}
          rule={segmentRuleOf(campaign.id, shown.filter)}
          onClosed={() => setSaving(false)}
        />
      )}
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
          second: {
            label: t('What they did'),
            value: did,
            options: acts.map((one) => ({ ...one, text: t(one.text) })),
          },
          onSecond: (value) => void list.find({ did: value as RecipientFilter['did'] }),
          chips,
          onChip: (name) => void list.find({ [name]: '' }),
        }}
        isFiltered={Object.values(shown.filter).some((value) => value.trim() !== '')}
        noMatch={t('Clear filters')}
        onAll={() => void list.find(noRecipientFilter)}
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
          columns={columnsOf(t, campaign.id, isReading || shown.items.some(({ replied_at: at }) => at !== null))}
          rows={shown.items}
          rowKey={({ recipient: address }) => address}
        />
      </ListPanel>
    </>
  )
}
