import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import uPlot from 'uplot'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { onSchemeChange, readScheme } from '../../preferences.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

const heightPx = 200
const labelEveryPx = 84

/** Bars of sent and failed mails by day; the day under the pointer is shown as text. */
export function DaysChart({ days }: { days: readonly DayCounts[] }) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<number | null>(null)
  const scheme = useScheme()
  useEffect(() => {
    return place.current === null ? undefined : draw(place.current, days, setShown)
  }, [days, scheme])
  const day = shown === null ? null : days[shown]
  const total = (name: 'sent' | 'failed' | 'waiting') => days.reduce((sum, counts) => sum + counts[name], 0)
  const words = ({ sent, failed, waiting }: Omit<DayCounts, 'day'>) => (
    <>
      <span className="key sent">{richText(t, '{number} sent', { number: <b>{sent.toLocaleString(t.lang)}</b> })}</span>
      <span className="key failed">
        {richText(t, '{number} failed', { number: <b>{failed.toLocaleString(t.lang)}</b> })}
      </span>
      {waiting > 0 && (
        <span>{richText(t, '{number} waiting', { number: <b>{waiting.toLocaleString(t.lang)}</b> })}</span>
      )}
    </>
  )
  return (
    <>
      <p className="home-keys">
        <span className="home-day">{day ? longDay(day.day) : t('All 30 days')}</span>
        {words(day ?? { sent: total('sent'), failed: total('failed'), waiting: total('waiting') })}
      </p>
      <div className="home-chart" ref={place} aria-hidden="true" />
      {/* Around the table: tables take no height that is less than their rows'. */}
      <div className="hidden-text">
        <table>
          <caption>{t('Mails by day')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Day')}</th>
              <th scope="col">{t('Sent')}</th>
              <th scope="col">{t('Failed')}</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ sent, failed }) => sent + failed > 0)
              .map(({ day: name, sent, failed }) => (
                <tr key={name}>
                  <th scope="row">{longDay(name)}</th>
                  <td>{sent}</td>
                  <td>{failed}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** Draws into an element and follows its width; returns a function that removes it. */
function draw(element: HTMLElement, days: readonly DayCounts[], onDay: (at: number | null) => void): () => void {
  const colour = (name: string) => tokenColour(element, name)
  const grid = { stroke: colour('line'), width: 1 }
  const axis = { stroke: colour('ink-3'), font: `12px ${getComputedStyle(element).fontFamily}`, grid }
  const bars = uPlot.paths.bars?.({ size: [0.62, 28], radius: 0.2 })
  const series = (name: string) => ({
    ...(bars && { paths: bars }),
    fill: colour(name),
    stroke: colour(name),
    width: 0,
    points: { show: false },
  })
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height: heightPx,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        x: { time: false, range: [-0.6, days.length - 0.4] },
        y: { range: (_plot, _min, max) => [0, nice(max)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          ticks: { show: false },
          space: labelEveryPx,
          splits: (self) => labelled(days.length, self.width),
          values: (_self, at) => at.map((index) => shortDay(days[index]?.day)),
        },
        { ...axis, size: 48, ticks: { show: false }, values: (_self, at) => at.map((count) => wholeNumber(count)) },
      ],
      // Stacked: failed mails on top of sent ones.
      series: [{}, series('danger'), series('accent')],
      hooks: { setCursor: [(self) => onDay(self.cursor.idx ?? null)] },
    },
    [days.map((_day, at) => at), days.map(({ sent, failed }) => sent + failed), days.map(({ sent }) => sent)],
    element,
  )
  const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }))
  sizes.observe(element)
  return () => {
    sizes.disconnect()
    plot.destroy()
  }
}

/** The value of a token in the current scheme: a canvas does not support custom properties. */
function tokenColour(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--sw-color-${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Room above the tallest bar, and whole numbers beside few mails. */
function nice(max: number): number {
  return Math.max(4, max * 1.08)
}

function labelled(count: number, widthPx: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(widthPx / labelEveryPx))))
  return Array.from({ length: Math.ceil(count / step) }, (_item, at) => count - 1 - at * step).reverse()
}

function wholeNumber(count: number): string {
  return Number.isInteger(count) ? count.toLocaleString([], { notation: 'compact' }) : ''
}

// A day is a day: read as UTC and shown as UTC it is the same one everywhere.
function shortDay(day: string | undefined): string {
  if (day === undefined) return ''
  return new Date(day).toLocaleDateString([], { day: 'numeric', month: 'short', timeZone: 'UTC' })
}

function longDay(day: string): string {
  return new Date(day).toLocaleDateString([], { dateStyle: 'full', timeZone: 'UTC' })
}

/** Changes whenever colours do: by the switch, and by the system. */
function useScheme(): string {
  return useSyncExternalStore(
    (onChange) => {
      const system = matchMedia('(prefers-color-scheme: dark)')
      system.addEventListener('change', onChange)
      const unfollow = onSchemeChange(onChange)
      return () => {
        system.removeEventListener('change', onChange)
        unfollow()
      }
    },
    () => `${readScheme()} ${matchMedia('(prefers-color-scheme: dark)').matches}`,
  )
}
