import { useSnapshot } from 'valtio'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { megaphone } from '../../../widgets/kit/icon/icons.ts'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { Time } from '../../kit/time.tsx'
import type { HomeStore } from './home-store.ts'
import { bestCampaigns, draftsOf, lastCampaigns, type HomeCampaign } from './home-campaigns.ts'

/** The last campaigns with their figures, a running one on top; the best of the period; drafts. */
export function CampaignsPanel({ store }: { store: HomeStore }) {
  const t = useText()
  const { status, value, error } = useSnapshot(store.state).campaigns
  const last = lastCampaigns(value)
  const best = bestCampaigns(value)
  const drafts = draftsOf(value)
  return (
    <section className="panel home-campaigns" aria-label={t('Last campaigns')}>
      <div className="home-head">
        <h2>{t('Last campaigns')}</h2>
        {value.length > 0 && <a href="/dashboard/campaigns">{t('All campaigns')}</a>}
      </div>
      {status === 'loading' && value.length === 0 && <SkeletonRows className="step" widths={['54%', '38%', '46%']} />}
      {status === 'failed' && value.length === 0 && (
        <ErrorState title={t('The last campaigns could not be loaded')} text={error} onRetry={store.reloadSends} />
      )}
      {status === 'ready' && last.length === 0 && (
        <EmptyState
          icon={megaphone}
          title={t('No campaigns yet')}
          text={t('Campaigns are listed here with what became of them.')}
        >
          <ButtonLink href="/dashboard/send_email">{t('Write a message')}</ButtonLink>
        </EmptyState>
      )}
      <ul className="home-rows">
        {last.map((campaign) => (
          <Row key={campaign.id} campaign={campaign} />
        ))}
      </ul>
      {best.length > 0 && (
        <div className="home-line">
          <h3>{t('Best of the last 30 days')}</h3>
          <ol>
            {best.map((campaign) => (
              <li key={campaign.id}>
                <a href={`/dashboard/campaigns#${campaign.id}`}>{titleOf(campaign) || t('No subject')}</a>{' '}
                <span>
                  {campaign.stats.tracking !== 'identified'
                    ? t('{rate} replied', { rate: percent(campaign.stats.replied, campaign.stats.sent, t.lang) })
                    : t('{opened} opened, {clicked} clicked', {
                        opened: percent(campaign.stats.opened, campaign.stats.sent, t.lang),
                        clicked: percent(campaign.stats.clicked, campaign.stats.sent, t.lang),
                      })}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
      {drafts.length > 0 && (
        <div className="home-line">
          <h3>{t('Drafts')}</h3>
          <ul>
            {drafts.map((draft) => (
              <li key={draft.id}>
                <a href={`/dashboard/campaigns#${draft.id}`}>{titleOf(draft) || t('No subject')}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

interface RateProps {
  stats: HomeCampaign['stats']
  act: 'opened' | 'clicked' | 'replied'
}

/** A rate of people. A campaign that has sent nothing has none, nor have opens and clicks where no people are recorded. */
function HomeRate({ stats, act }: RateProps) {
  const t = useText()
  if (stats === undefined || stats.sent === 0) return '–'
  if (act !== 'replied' && stats.tracking !== 'identified') {
    return <small>{stats.tracking === 'off' ? t('tracking off') : t('totals only')}</small>
  }
  return percent(stats[act], stats.sent, t.lang)
}

const titleOf = ({ name, subject }: Pick<HomeCampaign, 'name' | 'subject'>) => (name === '' ? subject : name)

const percent = (part: number, whole: number, lang: string | undefined) =>
  (whole === 0 ? 0 : Math.min(1, part / whole)).toLocaleString(lang, { style: 'percent', maximumFractionDigits: 1 })

const stateWords: Readonly<Partial<Record<HomeCampaign['status'], string>>> = {
  scheduled: 'Scheduled',
  preparing: 'Preparing',
  paused: 'Paused',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

function Row({ campaign }: { campaign: HomeCampaign }) {
  const t = useText()
  const { id, status, stats, counts, started_at: started, finishes_at: ends } = campaign
  const isRunning = status === 'sending'
  const word = stateWords[status]
  return (
    <li>
      <div>
        <h3>
          <a href={`/dashboard/campaigns#${id}`}>{titleOf(campaign) || t('No subject')}</a>
        </h3>
        {isRunning ? (
          <>
            <p>
              {t('Sending, {number} of {total}', { number: counts.sent, total: counts.total })}
              {ends && richText(t, ', done {time}', { time: <Time iso={ends} /> })}
            </p>
            <span
              className="home-bar"
              role="progressbar"
              aria-label={t('Sent of {name}', { name: titleOf(campaign) })}
              aria-valuemin={0}
              aria-valuemax={counts.total}
              aria-valuenow={counts.sent}
            >
              <span style={{ scale: `${counts.total === 0 ? 0 : counts.sent / counts.total} 1` }} />
            </span>
          </>
        ) : (
          <p>
            {word !== undefined && <b>{t(word)} · </b>}
            <Time iso={started ?? campaign.scheduled_at ?? campaign.created_at} isDated />
          </p>
        )}
      </div>
      <dl className="home-rates">
        <div>
          <dt>{t('Sent')}</dt>
          <dd>{counts.sent.toLocaleString(t.lang)}</dd>
        </div>
        {(['opened', 'clicked', 'replied'] as const).map((act) => (
          <div key={act}>
            <dt>{t({ opened: 'Opened', clicked: 'Clicked', replied: 'Replied' }[act])}</dt>
            <dd>
              <HomeRate stats={stats} act={act} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
