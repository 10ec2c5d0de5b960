import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { Column } from '../../../widgets/kit/table/table.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'

type Stats = NonNullable<Campaign['stats']>
type Act = 'opened' | 'clicked' | 'replied' | 'bounced' | 'unsubscribed'

/** Figures of sent campaigns as people and percent; opens and clicks only where they are measured. */
export function rateColumns(
  t: Translate<string>,
  sortOf: (act: Act) => NonNullable<Column<Campaign>['sort']>,
  hasReplies: boolean,
): Column<Campaign>[] {
  const columns: [Act, string][] = [
    ['opened', t('Opened')],
    ['clicked', t('Clicked')],
    ...(hasReplies ? [['replied', t('Replied')] as [Act, string]] : []),
    ['bounced', t('Bounced')],
    ['unsubscribed', t('Unsubscribed')],
  ]
  return columns.map(([act, label]) => ({
    label,
    sort: sortOf(act),
    cell: ({ stats }) =>
      stats === undefined || stats.sent + stats.bounced === 0 ? '–' : <Rate stats={stats} act={act} t={t} />,
  }))
}

function Rate({ stats, act, t }: { stats: Readonly<Stats>; act: Act; t: Translate<string> }) {
  const isMeasured = (act !== 'opened' && act !== 'clicked') || stats.tracking === 'identified'
  if (!isMeasured) {
    return <span className="row-detail">{stats.tracking === 'off' ? t('tracking off') : t('totals only')}</span>
  }
  const whole = act === 'bounced' ? stats.sent + stats.bounced : stats.sent
  const share = whole === 0 ? 0 : Math.min(1, stats[act] / whole)
  return (
    <span className="campaign-rate">
      <b>{stats[act].toLocaleString(t.lang)}</b>
      <span className="row-detail">{share.toLocaleString(t.lang, { style: 'percent', maximumFractionDigits: 1 })}</span>
    </span>
  )
}
