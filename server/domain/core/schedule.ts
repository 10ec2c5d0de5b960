const localTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?$/
const absoluteTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

/** Whether a name is that of a time zone (IANA). */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false // A RangeError is how Intl says no.
  }
}

/**
 * The instant of a time as it was written: with an offset as that says, without one in the zone. A time that clocks jump over
 * in spring is as much later as they jump; one that they show twice in autumn is the first. Null for what is no time.
 */
export function instantOf(text: string, timezone: string): Date | null {
  if (absoluteTime.test(text)) return valid(new Date(text))
  const found = localTime.exec(text)
  if (!found) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  // Date.UTC takes 31 February for a day in March.
  if (new Date(wall).toISOString().slice(0, 16) !== text.slice(0, 16)) return null
  const before = offsetAt(wall - dayMs, timezone)
  const after = offsetAt(wall + dayMs, timezone)
  const first = wall - before
  if (offsetAt(first, timezone) === before) return new Date(first)
  const later = wall - after
  return new Date(offsetAt(later, timezone) === after ? later : first)
}

/** Whether a time of day is one that the zone's clocks jump over, as in spring. */
export function isSkippedTime(text: string, timezone: string): boolean {
  if (!localTime.test(text)) return false
  const instant = instantOf(text, timezone)
  const wall = Math.floor(Date.parse(`${text}Z`) / 1000) * 1000
  return instant !== null && offsetAt(instant.getTime(), timezone) + instant.getTime() !== wall
}

const dayMs = 86_400_000

function valid(date: Date): Date | null {
  return Number.isNaN(date.getTime()) ? null : date
}

/** How far the zone's clocks are ahead of UTC at an instant, in ms. */
function offsetAt(instantMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US-u-hc-h23', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instantMs)
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const wall = Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'))
  return wall - Math.floor(instantMs / 1000) * 1000
}
