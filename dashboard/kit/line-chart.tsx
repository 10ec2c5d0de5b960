import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import uPlot from 'uplot'
import { createSheet, useSheet } from '../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../widgets/kit/text/text.tsx'
import { css } from './line-chart.css'
import { useScheme } from './use-scheme.ts'

const sheet = createSheet(css)
const heightPx = 200
const labelEveryPx = 84

export interface LinePoint {
  /** Its time, in full. */
  name: string
  solid: number
  dashed: number
  /** What explains it, in words. */
  note?: string | undefined
}

interface Props {
  label: string
  points: readonly LinePoint[]
  /** Name of a point on the axis. */
  shortName: (at: number) => string
  solidName: string
  dashedName: string
}

/** Two lines over time, named beside their ends. The arrow keys and the pointer choose a point, whose figures are text. */
export function LineChart({ label, points, shortName, solidName, dashedName }: Props) {
  const t = useText()
  useSheet(sheet)
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [shown, setShown] = useState<number | null>(null)
  const scheme = useScheme()
  const names = useRef(shortName)
  const text = JSON.stringify(points.map(({ solid, dashed }) => [solid, dashed]))
  useEffect(() => {
    names.current = shortName
  }, [shortName])
  useEffect(() => {
    if (place.current === null) return
    const lines = JSON.parse(text) as [number, number][]
    return draw(place.current, lines, {
      nameOf: (at) => names.current(at),
      onPoint: setShown,
      onPlot: (made) => (plot.current = made),
    })
  }, [text, scheme])
  const point = shown === null ? undefined : points[shown]
  const sentence =
    point === undefined
      ? ''
      : `${point.name}: ${solidName} ${point.solid.toLocaleString(t.lang)}, ${dashedName} ${point.dashed.toLocaleString(t.lang)}${point.note === undefined ? '' : ` · ${point.note}`}`

  const move = (event: KeyboardEvent) => {
    const last = points.length - 1
    const from = shown ?? (event.key === 'ArrowLeft' ? last + 1 : -1)
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    const at = Math.max(0, Math.min(last, to))
    setShown(at)
    const made = plot.current
    if (made) made.setCursor({ left: made.valToPos(at, 'x'), top: 10 }, false)
  }

  return (
    <div className="line-chart">
      <div
        className="line-chart-plot"
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={shown ?? 0}
        aria-valuetext={sentence || t('Press the arrow keys to read the points.')}
        onKeyDown={move}
      />
      <p className="line-chart-names" aria-hidden="true">
        <b>{solidName}</b>
        <span>{dashedName}</span>
      </p>
      <p className="line-chart-point" role="status">
        {sentence}
      </p>
    </div>
  )
}

interface Hooks {
  nameOf: (at: number) => string
  onPoint: (at: number | null) => void
  onPlot: (plot: uPlot | null) => void
}

/** Draws into an element and follows its width; returns a function that removes it. */
function draw(
  element: HTMLElement,
  lines: readonly [number, number][],
  { nameOf, onPoint, onPlot }: Hooks,
): () => void {
  const colour = (name: string) => tokenColour(element, name)
  const grid = { stroke: colour('line'), width: 1 }
  const axis = { stroke: colour('ink-3'), font: `12px ${getComputedStyle(element).fontFamily}`, grid }
  const made = new uPlot(
    {
      width: element.clientWidth,
      height: heightPx,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.3, Math.max(1, lines.length - 0.7)] },
        y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.08)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 28,
          ticks: { show: false },
          splits: (self) => labelled(lines.length, self.width),
          values: (_self, at) => at.map((index) => nameOf(index)),
        },
        {
          ...axis,
          size: 48,
          ticks: { show: false },
          values: (_self, at) =>
            at.map((count) => (Number.isInteger(count) ? count.toLocaleString([], { notation: 'compact' }) : '')),
        },
      ],
      series: [
        {},
        { stroke: colour('ink-3'), width: 1.5, dash: [4, 4], points: { show: false } },
        { stroke: colour('accent'), fill: colour('accent-soft'), width: 2, points: { show: lines.length === 1 } },
      ],
      hooks: { setCursor: [(self) => onPoint(self.cursor.idx ?? null)] },
    },
    [lines.map((_line, at) => at), lines.map(([, dashed]) => dashed), lines.map(([solid]) => solid)],
    element,
  )
  onPlot(made)
  const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: heightPx }))
  sizes.observe(element)
  return () => {
    sizes.disconnect()
    onPlot(null)
    made.destroy()
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

function labelled(count: number, widthPx: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(2, Math.floor(widthPx / labelEveryPx))))
  return Array.from({ length: Math.ceil(count / step) }, (_item, at) => count - 1 - at * step).reverse()
}
