import { useCallback, useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { megaphone } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState } from '../../../widgets/kit/feedback/states.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ListPanel } from '../../kit/list-panel.tsx'
import { useApp } from '../../app.ts'
import { useIsAnyReading } from '../replies/unread.ts'
import { rateColumns } from './campaign-rates.tsx'
import { CampaignActions } from './campaign-actions.tsx'
import { StartTime } from './start-time.tsx'
import { relevantTime, nameOf, unsentCounts, statusLabels } from './campaign-labels.ts'
import { comparedMaxCount } from './compare-limits.ts'
import { sortedFigures, type CampaignFilter, type CampaignsStore, type SortedFigure } from './campaigns-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

const states = [
  { value: '', text: 'All states' },
  ...Object.entries(statusLabels).map(([value, { word }]) => ({ value, text: word })),
]

const sortNames = [
  { value: '', text: 'Newest first' },
  ...sortedFigures.map((value) => ({ value, text: `Most ${value}` })),
]

/** The campaigns of the workspace, newest first; counts of those that are sending are refreshed. */
export function CampaignList({ store }: { store: CampaignsStore }) {
  const t = useText()
  useEffect(() => {
    return store.list.start()
  }, [store])
  const isReading = useIsAnyReading(useApp().session)
  const { list } = store
  const shown = useSnapshot(list.state)
  const find = useCallback((search: string) => void list.find({ search }), [list])
  const { chosen } = useSnapshot(store.state)
  const { search, status, sort } = shown.filter
  const sortOf = (figure: SortedFigure): NonNullable<Column<Campaign>['sort']> => ({
    order: sort === figure ? 'descending' : sort === `${figure}_asc` ? 'ascending' : null,
    onSort: () => void store.sortBy(figure),
  })
  const columns: Column<Campaign>[] = [
    {
      label: t('Compare'),
      cell: (campaign) =>
        campaign.started_at === null ? null : (
          <input
            type="checkbox"
            aria-label={t('Compare {name}', { name: nameOf(campaign) })}
            checked={chosen.includes(campaign.id)}
            disabled={chosen.length >= comparedMaxCount && !chosen.includes(campaign.id)}
            onChange={(event) => store.choose(campaign.id, event.currentTarget.checked)}
          />
        ),
    },
    {
      label: t('Name'),
      cell: (campaign) => (
        <>
          <a className="row-title" href={`#${campaign.id}`}>
            {nameOf(campaign)}
          </a>
          {campaign.name !== '' && campaign.subject !== campaign.name && (
            <span className="row-detail">{campaign.subject}</span>
          )}
        </>
      ),
    },
    {
      label: t('State'),
      cell: (campaign) => {
        const { word, at } = relevantTime(campaign)
        return (
          <>
            <Status campaign={campaign} />
            <span className="row-detail campaign-when">
              {t(word)} {campaign.status === 'scheduled' ? <StartTime iso={at} /> : <Time iso={at} />}
            </span>
          </>
        )
      },
    },
    {
      label: t('Sent'),
      cell: ({ counts }) => <Sent counts={counts} />,
      sort: sortOf('sent'),
    },
    ...rateColumns(t, sortOf, isReading || shown.items.some(({ stats }) => (stats?.replied ?? 0) > 0)),
    { label: t('Actions'), align: 'end', cell: (campaign) => <CampaignActions store={store} campaign={campaign} /> },
  ]
  return (
    <ListPanel
      name={t('Campaigns')}
      list={shown}
      count={shown.items.length}
      tools={{
        label: t('Search campaigns'),
        placeholder: t('Name or subject'),
        search,
        onSearch: find,
        choice: {
          label: t('State'),
          value: status,
          options: states.map((state) => ({ ...state, text: t(state.text) })),
        },
        onChoice: (value) => void list.find({ status: value as CampaignFilter['status'] }),
        second: {
          label: t('Sort by'),
          value: sort.replace(/_asc$/, ''),
          options: sortNames.map((name) => ({ ...name, text: t(name.text) })),
        },
        onSecond: (value) => void list.find({ sort: value as CampaignFilter['sort'] }),
      }}
      isFiltered={search.trim() !== '' || status !== ''}
      onAll={() => void list.find({ search: '', status: '' })}
      onRetry={() => void list.retry()}
      onTurn={(offset) => void list.turn(offset)}
      empty={
        <EmptyState
          level={2}
          icon={megaphone}
          title={t('No campaigns yet')}
          text={t(
            'A message to more than 10 recipients, to a list or a segment, or with values for each recipient, is sent as a campaign and listed here.',
          )}
        >
          <ButtonLink href="/dashboard/send_email" kind="primary">
            {t('Write a message')}
          </ButtonLink>
        </EmptyState>
      }
    >
      {chosen.length > 0 && (
        <div className="campaign-compare" role="status">
          <span>
            {t('{count} campaign chosen|{count} campaigns chosen', { count: chosen.length })}
            {chosen.length < 2 && ` · ${t('Choose one more to compare.')}`}
          </span>
          {chosen.length > 1 && (
            <ButtonLink kind="primary" href={`#compare/${chosen.join(',')}`}>
              {t('Compare')}
            </ButtonLink>
          )}
          <Button size="small" onClick={() => store.clearChosen()}>
            {t('Clear')}
          </Button>
        </div>
      )}
      <div className="campaign-table">
        <Table label={t('Campaigns')} columns={columns} rows={shown.items as Campaign[]} rowKey={({ id }) => id} />
      </div>
    </ListPanel>
  )
}

/** Its state, and the reason of a failure. */
export function Status({ campaign }: { campaign: Pick<Campaign, 'status' | 'status_reason'> }) {
  const t = useText()
  const { word, tone } = statusLabels[campaign.status]
  return (
    <span>
      <span className={`state-pill ${tone}`}>{t(word)}</span>
      {campaign.status_reason !== null && <span className="row-detail">{campaign.status_reason}</span>}
    </span>
  )
}

function Sent({ counts }: { counts: Readonly<Campaign['counts']> }) {
  const t = useText()
  const { sent, total } = counts
  return (
    <span className="campaign-sent">
      <span>
        {richText(t, '{number} of {total}', {
          number: <b>{sent.toLocaleString(t.lang)}</b>,
          total: total.toLocaleString(t.lang),
        })}
        {sent > 0 && (
          <span className="row-detail">
            {(sent / total).toLocaleString(t.lang, { style: 'percent', maximumFractionDigits: 1 })}
          </span>
        )}
      </span>
      <span className="campaign-bar" aria-hidden="true">
        <span style={{ scale: `${total === 0 ? 0 : sent / total} 1` }} />
      </span>
      {unsentCounts(counts).map(({ text, isBad }) => (
        <span key={text} className={isBad ? 'row-detail bad' : 'row-detail'}>
          {text}
        </span>
      ))}
    </span>
  )
}
