import type { CampaignReport } from '../../../../contract/results/report.ts'

/** A point of the curve. */
export interface CurvePoint {
  /** Start of its hour or day, in ms since 1970. */
  at: number
  people: number
  machines: number
}

export interface Curve {
  points: CurvePoint[]
  isByDay: boolean
}

const hourMs = 3_600_000
/** Longer spans are drawn by day. */
const hoursMaxCount = 96
const pointsMaxCount = 400

/** Acts with a curve. */
export type CurveAct = 'opened' | 'clicked' | 'replied'

const machineFigures = { opened: 'machine_opens', clicked: 'machine_clicks', replied: 'auto_replies' } as const

/** The acts of one kind over time, without gaps: by hour, or by day for a long span. Machines reply automatically. */
export function curveOf(hours: CampaignReport['hours'], act: CurveAct): Curve {
  const acts = hours
    .map((hour) => ({ at: Date.parse(hour.at), people: hour[act], machines: hour[machineFigures[act]] }))
    .filter(({ people, machines }) => people + machines > 0)
  const [first, last] = [acts[0]?.at ?? 0, acts.at(-1)?.at ?? 0]
  const isByDay = (last - first) / hourMs >= hoursMaxCount
  const startOf = (at: number) => (isByDay ? new Date(at).setHours(0, 0, 0, 0) : at)
  const byStart = new Map<number, CurvePoint>()
  for (
    let at = startOf(first);
    acts.length > 0 && at <= last && byStart.size < pointsMaxCount;
    at = nextOf(at, isByDay)
  ) {
    byStart.set(at, { at, people: 0, machines: 0 })
  }
  for (const { at, people, machines } of acts) {
    const point = byStart.get(startOf(at))
    if (point === undefined) continue
    point.people += people
    point.machines += machines
  }
  return { points: [...byStart.values()], isByDay }
}

/** Days have 23 to 25 hours. */
function nextOf(at: number, isByDay: boolean): number {
  if (!isByDay) return at + hourMs
  const next = new Date(at)
  return next.setDate(next.getDate() + 1)
}
