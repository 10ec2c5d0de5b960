import type { DayCounts } from '../../../contract/results/statistics.ts'

/** A figure of the dashboard. */
export type FigureName = 'sent' | 'delivered' | 'opened' | 'clicked' | 'replied' | 'bounced' | 'unsubscribed'

/** Days of a period; the statistics cover this one and the one before. */
export const periodDays = 30

/** What a tile shows of a figure. */
export interface Figure {
  name: FigureName
  label: string
  total: number
  today: number
  /** Share of the mails that it is part of, 0 to 1; null for sent mails and without any. */
  rate: number | null
  change: Change
}

/** Change against the period before: of a count in percent or, from nothing, in mails; of a rate in points. */
export interface Change {
  value: number
  unit: 'percent' | 'points' | 'mails'
}

const labels: Readonly<Record<FigureName, string>> = {
  sent: 'Sent',
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  replied: 'Replied',
  bounced: 'Bounced',
  unsubscribed: 'Unsubscribed',
}

const names = Object.keys(labels) as FigureName[]

/** The mails that a figure is a share of. */
const wholeOf: Readonly<
  Record<Exclude<FigureName, 'sent'>, (sum: (name: keyof Omit<DayCounts, 'day'>) => number) => number>
> = {
  delivered: (sum) => sum('sent'),
  bounced: (sum) => sum('sent') + sum('failed'),
  opened: (sum) => sum('delivered'),
  clicked: (sum) => sum('delivered'),
  replied: (sum) => sum('delivered'),
  unsubscribed: (sum) => sum('delivered'),
}

/** The days of this period and of the one before. */
export function periodsOf<Day extends Readonly<DayCounts>>(days: readonly Day[]): { now: Day[]; before: Day[] } {
  return { now: days.slice(-periodDays), before: days.slice(-2 * periodDays, -periodDays) }
}

/** The figures of the last 30 days. Replies are left out until there is one. */
export function figuresOf(days: readonly Readonly<DayCounts>[]): Figure[] {
  const { now, before } = periodsOf(days)
  const today = days.at(-1)
  return names
    .filter((name) => name !== 'replied' || days.some(({ replied }) => replied > 0))
    .map((name) => {
      const [total, earlier] = [sumOf(now, name), sumOf(before, name)]
      const [rate, rateBefore] = [rateOf(now, name), rateOf(before, name)]
      const change = changeOf({ total, earlier, rate, rateBefore })
      return { name, label: labels[name], total, today: today?.[name] ?? 0, rate, change }
    })
}

const sumOf = (days: readonly Readonly<DayCounts>[], name: keyof Omit<DayCounts, 'day'>) =>
  days.reduce((sum, day) => sum + day[name], 0)

function rateOf(days: readonly Readonly<DayCounts>[], name: FigureName): number | null {
  if (name === 'sent') return null
  const whole = wholeOf[name]((of) => sumOf(days, of))
  return whole === 0 ? null : Math.min(1, sumOf(days, name) / whole)
}

function changeOf(of: { total: number; earlier: number; rate: number | null; rateBefore: number | null }): Change {
  if (of.rate !== null && of.rateBefore !== null) return { value: 100 * (of.rate - of.rateBefore), unit: 'points' }
  if (of.rate === null && of.earlier > 0)
    return { value: (100 * (of.total - of.earlier)) / of.earlier, unit: 'percent' }
  return { value: of.total - of.earlier, unit: 'mails' }
}
