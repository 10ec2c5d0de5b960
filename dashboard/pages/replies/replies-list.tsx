import { useSnapshot } from 'valtio'
import type { ReplySummary } from '../../../contract/inbox/reply.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { reply as replyIcon } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import type { RepliesState, RepliesStore, View } from './replies-store.ts'

const views: readonly { view: View; text: string }[] = [
  { view: 'new', text: 'To read' },
  { view: 'reply', text: 'All' },
  { view: 'auto_reply', text: 'Auto-reply' },
  { view: 'probable', text: 'Probable' },
  { view: 'unverified', text: 'Unverified' },
  { view: 'archived', text: 'Archived' },
]

/** The replies of a view and a campaign, newest first. */
export function RepliesList({ store }: { store: RepliesStore }) {
  const t = useText()
  const { status, error, items, next, isLoadingMore, counts, selectedId, view, campaignId, campaigns } = useSnapshot(
    store.state,
    { sync: true },
  )
  return (
    <section className="replies-list" aria-label={t('Replies')}>
      <header>
        <div className="replies-top">
          <h1>{t('Replies')}</h1>
          <SelectField
            label={t('Campaign')}
            value={campaignId}
            options={[
              { value: '', text: t('All mails') },
              ...campaigns.map(({ id, name }) => ({ value: id, text: name || t('Without a name') })),
            ]}
            onValue={(id) => store.showCampaign(id)}
          />
        </div>
        <div className="replies-views" role="group" aria-label={t('Filter')}>
          {views.map((one) => (
            <button
              key={one.view}
              type="button"
              className="replies-view"
              aria-pressed={one.view === view}
              onClick={() => store.show(one.view)}
            >
              {t(one.text)} <b>{countOf(one.view, counts)}</b>
            </button>
          ))}
        </div>
      </header>
      <div className="replies-rows">
        {status === 'failed' && (
          <ErrorState title={t('The replies could not be loaded')} text={error} onRetry={() => void store.load()} />
        )}
        {status === 'loading' && <SkeletonRows className="replies-bones" widths={['60%', '48%', '55%']} second="70%" />}
        {status === 'ready' && items.length === 0 && (
          <EmptyState icon={replyIcon} title={t('No replies here')} text={t('They appear as soon as they arrive.')} />
        )}
        <ul>
          {items.map((item) => (
            <Row
              key={item.id}
              item={item}
              isSelected={item.id === selectedId}
              onOpen={() => void store.open(item.id)}
            />
          ))}
        </ul>
        {next !== null && status === 'ready' && (
          <Button busy={isLoadingMore} onClick={() => void store.loadMore()}>
            {t('Show more')}
          </Button>
        )}
      </div>
      <p className="replies-keys">
        <kbd>J</kbd> <kbd>K</kbd> {t('next, previous')} <kbd>{t('Enter')}</kbd> {t('open')} <kbd>E</kbd> {t('done')}
      </p>
    </section>
  )
}

function Row({ item, isSelected, onOpen }: { item: Readonly<ReplySummary>; isSelected: boolean; onOpen: () => void }) {
  const t = useText()
  const tag = tagOf(item)
  return (
    <li>
      <button
        type="button"
        data-id={item.id}
        className={item.is_read ? '' : 'unread'}
        aria-current={isSelected}
        onClick={onOpen}
      >
        <b>{item.from_name === '' ? item.from_address : item.from_name}</b>
        <Time iso={item.received_at} />
        <span className="replies-words">{item.first_words}</span>
        <span className="replies-facts">
          {!item.is_read && <i className="new">{t('New')}</i>}
          {item.is_answered && <i>{t('Answered')}</i>}
          {tag !== null && <i className={tag.kind}>{t(tag.text)}</i>}
          {item.campaign_name ?? item.subject}
        </span>
      </button>
    </li>
  )
}

interface Tag {
  text: string
  kind: '' | 'doubtful'
}

function tagOf({ kind, match, is_settled: isSettled }: Readonly<ReplySummary>): Tag | null {
  if (match === 'unverified') return { text: 'Unverified', kind: 'doubtful' }
  if (kind === 'auto_reply') return { text: 'Auto-reply', kind: '' }
  if (kind === 'unsubscribe') return { text: 'Unsubscribed', kind: '' }
  return match === 'probable' && !isSettled ? { text: 'Probable', kind: 'doubtful' } : null
}

function countOf(view: View, counts: Readonly<RepliesState['counts']>): string {
  if (counts === null) return ''
  const known: Partial<Record<View, number>> = {
    new: counts.unread_count,
    reply: counts.reply_count,
    auto_reply: counts.auto_reply_count,
    probable: counts.probable_count,
    unverified: counts.unverified_count,
  }
  const count = known[view]
  return count === undefined ? '' : String(count)
}
