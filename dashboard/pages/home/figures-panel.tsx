import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { arrowDown, arrowRight, arrowUp } from '../../../widgets/kit/icon/icons.ts'
import { ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useModule } from '../../../widgets/kit/use-module.ts'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { figuresOf, type Change, type Figure, type FigureName } from './figures.ts'
import type { HomeStore } from './home-store.ts'

const loadChart = () => import('./figures-chart.tsx')

/** The figures of the last 30 days as tabs of one chart. The chart loads when there is data. */
export function FiguresPanel({ store }: { store: HomeStore }) {
  const t = useText()
  const id = useId()
  const { days, campaigns } = useSnapshot(store.state)
  const { status, value, error } = days
  const [chosen, setChosen] = useState<FigureName>('sent')
  const figures = figuresOf(value)
  const hasMail = value.some(({ sent, failed, waiting, bounced }) => sent + failed + waiting + bounced > 0)
  const chart = useModule(loadChart, hasMail)
  if (status === 'ready' && !hasMail) return null
  const figure = figures.find(({ name }) => name === chosen) ?? figures[0]
  return (
    <section className="panel home-figures" aria-label={t('Last 30 days')}>
      <h2 className="hidden-text">{t('Last 30 days')}</h2>
      {hasMail && figure && <Tabs id={id} figures={figures} chosen={figure.name} onChosen={setChosen} />}
      {status === 'failed' && !hasMail && (
        <ErrorState title={t('The counts could not be loaded')} text={error} onRetry={store.reloadDays} />
      )}
      {chart.retry && (
        <ErrorState
          title={t('The chart could not be loaded')}
          text={t('Check your connection.')}
          onRetry={chart.retry}
        />
      )}
      {!chart.retry && (hasMail || status === 'loading') && (
        <div
          className={hasMail ? 'home-chart' : 'home-chart home-chart-first'}
          {...(hasMail && { role: 'tabpanel', id: `${id} chart`.replaceAll(' ', ''), 'aria-label': figure?.label })}
        >
          {hasMail && figure && chart.module ? (
            <chart.module.FiguresChart days={value} figure={figure} campaigns={campaigns.value} />
          ) : (
            <Skeleton>
              <div className="home-chart-bones" />
            </Skeleton>
          )}
        </div>
      )}
    </section>
  )
}

interface TabsProps {
  id: string
  figures: readonly Figure[]
  chosen: FigureName
  onChosen: (name: FigureName) => void
}

function Tabs({ id, figures, chosen, onChosen }: TabsProps) {
  const t = useText()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const last = figures.length - 1
    const at = figures.findIndex(({ name }) => name === chosen)
    const to = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last }[
      event.key
    ]
    const next = to === undefined ? undefined : figures[to]
    if (to === undefined || next === undefined) return
    event.preventDefault()
    onChosen(next.name)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <div className="home-tiles" role="tablist" aria-label={t('Figures')} ref={list} onKeyDown={move}>
      {figures.map((figure) => (
        <button
          key={figure.name}
          type="button"
          role="tab"
          className="home-tile"
          aria-selected={figure.name === chosen}
          aria-controls={`${id} chart`.replaceAll(' ', '')}
          tabIndex={figure.name === chosen ? 0 : -1}
          onClick={() => onChosen(figure.name)}
        >
          <Tile figure={figure} />
        </button>
      ))}
    </div>
  )
}

function Tile({ figure: { label, total, today, rate, change } }: { figure: Figure }) {
  const t = useText()
  const details = [
    t('{number} today', { number: today }),
    ...(rate === null
      ? []
      : [rate.toLocaleString(t.lang, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })]),
  ]
  return (
    <>
      <span className="home-tile-head">
        <span>{t(label)}</span> <ChangeText change={change} />
      </span>
      <b>{total.toLocaleString(t.lang)}</b>
      <span className="home-tile-detail">{details.join(' · ')}</span>
    </>
  )
}

function ChangeText({ change }: { change: Change }) {
  const t = useText()
  const text = textOf(t, change)
  const icon = text.startsWith('+') ? arrowUp : /^[-−]/.test(text) ? arrowDown : arrowRight
  return (
    <span className="home-change">
      <Icon of={icon} size={13} />
      <span aria-hidden="true">{text}</span>
      <span className="hidden-text">{t('{change} against the 30 days before', { change: text })}</span>
    </span>
  )
}

function textOf(t: Translate<string>, { value, unit }: Change): string {
  const digits = unit === 'points' ? 1 : 0
  const number = value.toLocaleString(t.lang, { signDisplay: 'exceptZero', maximumFractionDigits: digits })
  if (unit === 'percent') return `${number} %`
  return unit === 'points' ? t('{number} pts', { number }) : number
}
