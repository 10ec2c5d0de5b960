import { useId, useState } from 'react'
import type { CampaignReport } from '../../../../contract/results/report.ts'
import { Segmented } from '../../../../widgets/kit/form/segmented.tsx'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { useModule } from '../../../../widgets/kit/use-module.ts'
import { curveOf, type CurveAct } from './curve-data.ts'

const loadChart = () => import('../../../kit/line-chart.tsx')

/** Opens, clicks or replies over time: people solid, machines dashed; with a table of the same figures. */
export function OverTime({ hours }: { hours: CampaignReport['hours'] }) {
  const t = useText()
  const id = useId()
  const [act, setAct] = useState<CurveAct>('opened')
  const [isTable, setTable] = useState(false)
  const { points, isByDay } = curveOf(hours, act)
  const chart = useModule(loadChart, points.length > 0)
  const timeOf = (at: number) =>
    new Date(at).toLocaleString(t.lang, isByDay ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' })
  const people = t('People')
  const machines = act === 'replied' ? t('Auto-replies') : t('Machines')
  const hasReplies = hours.some((hour) => hour.replied + hour.auto_replies > 0)
  const texts = {
    opened: { name: t('Opened over time'), none: t('No opens yet.') },
    clicked: { name: t('Clicked over time'), none: t('No clicks yet.') },
    replied: { name: t('Replied over time'), none: t('No replies yet.') },
  }
  const { name, none } = texts[act]
  return (
    <section className="panel report-card" aria-labelledby={id}>
      <div className="report-head">
        <h2 id={id}>{t('Over time')}</h2>
        <Segmented
          label={t('Act')}
          options={[
            { value: 'opened', text: t('Opened') },
            { value: 'clicked', text: t('Clicked') },
            ...(hasReplies ? [{ value: 'replied' as const, text: t('Replied') }] : []),
          ]}
          value={act}
          onValue={setAct}
        />
      </div>
      {points.length === 0 && <p className="report-none">{none}</p>}
      {points.length > 0 && !isTable && chart.module && (
        <chart.module.LineChart
          label={name}
          points={points.map(({ at, people: solid, machines: dashed }) => ({ name: timeOf(at), solid, dashed }))}
          shortName={(at) => shortTime(points[at]?.at, isByDay, t.lang)}
          solidName={people}
          dashedName={machines}
        />
      )}
      {points.length > 0 && (
        <>
          <p className="report-chart-foot">
            <Button size="small" onClick={() => setTable(!isTable)}>
              {isTable ? t('Show as chart') : t('Show as table')}
            </Button>
          </p>
          {isTable && (
            <div className="report-scroll" tabIndex={0} role="group" aria-label={name}>
              <table className="report-table">
                <caption className="hidden-text">{name}</caption>
                <thead>
                  <tr>
                    <th scope="col">{isByDay ? t('Day') : t('Hour')}</th>
                    <th scope="col">{people}</th>
                    <th scope="col">{machines}</th>
                  </tr>
                </thead>
                <tbody>
                  {points
                    .filter((point) => point.people + point.machines > 0)
                    .map((point) => (
                      <tr key={point.at}>
                        <th scope="row">{timeOf(point.at)}</th>
                        <td>{point.people.toLocaleString(t.lang)}</td>
                        <td>{point.machines.toLocaleString(t.lang)}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </section>
  )
}

function shortTime(at: number | undefined, isByDay: boolean, lang: string | undefined): string {
  if (at === undefined) return ''
  return isByDay
    ? new Date(at).toLocaleDateString(lang, { day: 'numeric', month: 'short' })
    : new Date(at).toLocaleTimeString(lang, { hour: 'numeric' })
}
