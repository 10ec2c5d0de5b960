const dayMs = 86_400_000

/** The day so many days later; both are `YYYY-MM-DD` of the Gregorian calendar, kept within the years 0001 to 9999. */
export function addDays(day: string, days: number): string {
  const moved = Date.parse(`${day}T00:00:00Z`) + days * dayMs
  const clamped = Math.min(Math.max(moved, Date.parse('0001-01-01T00:00:00Z')), Date.parse('9999-12-31T00:00:00Z'))
  return new Date(clamped).toISOString().slice(0, 10)
}

/** Months and days, `MM-DD`, whose anniversary falls on this day: on 28 February of a common year also those of 29 February. */
export function anniversaries(day: string): string[] {
  const date = day.slice(5)
  return date === '02-28' && addDays(day, 1).slice(5) === '03-01' ? [date, '02-29'] : [date]
}

// oxlint-disable-next-line sendwright/module-state -- a cache
const formats = new Map<string, Intl.DateTimeFormat>()

/** Day of this instant in a time zone, `YYYY-MM-DD`. */
export function dayIn(timezone: string, instant: Date): string {
  let format = formats.get(timezone)
  if (!format) {
    // The Swedish locale writes dates as ISO 8601 does.
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timezone, format)
  }
  return format.format(instant)
}
