import { useState } from 'react'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { LineChart } from '../../kit/line-chart.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { periodsOf, type Figure } from './figures.ts'
import type { HomeCampaign } from './home-campaigns.ts'

/** A figure by day: this period solid, the one before dashed; with a table of the same figures. */
export function FiguresChart({
  days,
  figure: { name, label },
  campaigns,
}: {
  days: readonly Readonly<DayCounts>[]
  figure: Figure
  campaigns: readonly HomeCampaign[]
}) {
  const t = useText()
  const [isTable, setTable] = useState(false)
  const { now, before } = periodsOf(days)
  const points = now.map((day, at) => ({
    name: longDay(day.day, t.lang),
    solid: day[name],
    dashed: before[at]?.[name] ?? 0,
    note: startedOn(day.day, campaigns, t),
  }))
  const title = t('{figure} by day', { figure: t(label) })
  return (
    <>
      {isTable ? (
        <div className="home-table" tabIndex={0} role="group" aria-label={title}>
          <table>
            <caption className="hidden-text">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{t('Day')}</th>
                <th scope="col">{t('These 30 days')}</th>
                <th scope="col">{t('30 days before')}</th>
              </tr>
            </thead>
            <tbody>
              {points.map((point) => (
                <tr key={point.name}>
                  <th scope="row">{point.name}</th>
                  <td>{point.solid.toLocaleString(t.lang)}</td>
                  <td>{point.dashed.toLocaleString(t.lang)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <LineChart
          label={title}
          points={points}
          shortName={(at) => shortDay(now[at]?.day, t.lang)}
          solidName={t('These 30 days')}
          dashedName={t('30 days before')}
        />
      )}
      <p className="home-chart-foot">
        <Button size="small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {t('Show as table')}
        </Button>
      </p>
    </>
  )
}

/** The largest campaign that started on a day of the user's time zone, in words. */
function startedOn(day: string, campaigns: readonly HomeCampaign[], t: Translate<string>): string | undefined {
  const [largest] = campaigns
    .filter(({ started_at: at }) => at !== null && localDay(at) === day)
    .toSorted((a, b) => b.counts.sent - a.counts.sent)
  if (largest === undefined) return undefined
  return t('campaign “{name}”', { name: largest.name === '' ? largest.subject : largest.name })
}

const localDay = (iso: string) => new Date(iso).toLocaleDateString('sv-SE')

// A day is a day: read as UTC and shown as UTC it is the same one everywhere.
function shortDay(day: string | undefined, lang: string | undefined): string {
  if (day === undefined) return ''
  return new Date(day).toLocaleDateString(lang, { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

function longDay(day: string, lang: string | undefined): string {
  return new Date(day).toLocaleDateString(lang, { dateStyle: 'full', timeZone: 'UTC' })
}
