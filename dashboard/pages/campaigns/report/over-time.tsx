import { useId, useState } from 'react'
import type { CampaignReport } from '../../../../contract/results/report.ts'
import { Segmented } from '../../../../widgets/kit/form/segmented.tsx'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { useModule } from '../../../../widgets/kit/use-module.ts'
import { curveOf } from './curve-data.ts'

const loadChart = () => import('../../../kit/line-chart.tsx')

/** Opens or clicks over time: people solid, machines dashed; with a table of the same figures. */
export function OverTime({ hours }: { hours: CampaignReport['hours'] }) {
  const t = useText()
  const id = useId()
  const [act, setAct] = useState<'opened' | 'clicked'>('opened')
  const [isTable, setTable] = useState(false)
  const { points, isByDay } = curveOf(hours, act)
  const chart = useModule(loadChart, points.length > 0)
  const timeOf = (at: number) =>
    new Date(at).toLocaleString(t.lang, isByDay ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' })
  const people = t('People')
  const machines = t('Machines')
  const name = act === 'opened' ? t('Opened over time') : t('Clicked over time')
  return (
    <section className="panel report-card" aria-labelledby={id}>
      <div className="report-head">
        <h2 id={id}>{t('Over time')}</h2>
        <Segmented
          label={t('Act')}
          options={[
            { value: 'opened', text: t('Opened') },
            { value: 'clicked', text: t('Clicked') },
          ]}
          value={act}
          onValue={setAct}
        />
      </div>
      {points.length === 0 && <p className="report-none">{t('Nobody has opened it yet.')}</p>}
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
            <Button size="small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
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
