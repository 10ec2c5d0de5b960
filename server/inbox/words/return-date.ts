import { languages } from './languages.ts'

const dayMs = 86_400_000
/** A date further ahead is no return but an event or a mistake. */
const aheadMaxDays = 180
/** Text that is searched. */
const textMaxChars = 8000
/** Characters between a word of return and the date. */
const nearChars = 60
const afterChars = 40

/** `listopadu` is November in Czech, `listopada` in Polish. */
const months = new Map<string, number>([
  ['listopadu', 11],
  ['listopada', 11],
  ['listopad', 11],
  ...languages.flatMap((language) =>
    language.months.flatMap((names, index) => names.map((name) => [name, index + 1] as const)),
  ),
])

const monthNames = [...months.keys()].sort((a, b) => b.length - a.length).join('|')
const letter = String.raw`\p{L}\p{N}`
const day = String.raw`(?<![${letter}.,/:-])(?:the )?(\d{1,2})(?:st|nd|rd|th|er|º|ª|°|:e|\.)?`
const dayMonth = new RegExp(
  String.raw`${day}[\s.\u00a0-]{0,3}(?:of |de |di |d'|del )?(${monthNames})(?![${letter}])(?:[.,]?\s(?:de |del )?(20\d\d))?`,
  'gu',
)
const monthDay = new RegExp(
  String.raw`(?<![${letter}])(${monthNames})\.?\s{1,3}(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![${letter}:])(?:,?\s{1,2}(20\d\d))?`,
  'gu',
)
const isoDate = /(?<![\d-])(20\d\d)-(\d{1,2})-(\d{1,2})(?!\d)/g
const numeric = /(?<![\d./])(\d{1,2})([./-])\s?(\d{1,2})(?:\2\s?(20\d\d|\d\d)?)?(?![\d:])/g

interface FoundDate {
  start: number
  end: number
  /** Midnight UTC. */
  at: number
}

const words = [...new Set(languages.flatMap(({ returnWords }) => returnWords))].sort((a, b) => b.length - a.length)
const wordPattern = new RegExp(
  String.raw`(?<![${letter}])(?:${words.map((word) => word.replaceAll('.', String.raw`\.`)).join('|')})(?![${letter}])`,
  'u',
)

/** Short words that stand before any date; behind a date they mean nothing. */
const strongAfter = new RegExp(
  String.raw`(?<![${letter}])(?:back|again|zurück|wieder|erreichbar|retour|disponible|disponibile|disponível|vuelta|regreso|rientro|volta|terug|weer|bereikbaar|wracam|wrócę|powrót|ponownie|tillbaka|åter|igen|tilbage|takaisin|asti|saakka|palaan|alkaen|jälleen|lähtien|zpět|opět|zpátky|vrátím|inclusive|included|inklusive|einschließlich|inclus|incluido|incluso|včetně)(?![${letter}])`,
  'u',
)

/**
 * The day of return that an automatic reply names, as YYYY-MM-DD; null without one, and for a day over 180 days ahead. A date
 * without a year is the next one from the day on which the mail arrived.
 */
export function findReturnDate(text: string, receivedAt: Date): string | null {
  const searched = text.slice(0, textMaxChars).toLowerCase().normalize('NFC')
  const today = Math.floor(receivedAt.getTime() / dayMs) * dayMs
  const dates = findDates(searched, today).sort((a, b) => a.start - b.start)
  let found: number | null = null
  for (const [index, date] of dates.entries()) {
    const previousEnd = dates[index - 1]?.end ?? 0
    const nextStart = dates[index + 1]?.start ?? searched.length
    if (!isReturn(searched, date, previousEnd, nextStart)) continue
    if (date.at < today - dayMs || date.at > today + aheadMaxDays * dayMs) continue
    if (found === null || date.at > found) found = date.at
  }
  return found === null ? null : new Date(found).toISOString().slice(0, 10)
}

function isReturn(text: string, date: FoundDate, previousEnd: number, nextStart: number): boolean {
  const before = lastSentence(text.slice(Math.max(previousEnd, date.start - nearChars), date.start))
  if (wordPattern.test(before)) return true
  // The end of a range: 1.–8. September.
  if (previousEnd > 0 && /^\s{0,3}[-–—]\s{0,3}$/.test(before)) return true
  const after = firstSentence(text.slice(date.end, Math.min(nextStart, date.end + afterChars)))
  return strongAfter.test(after)
}

const lastSentence = (text: string) => text.split(/[!?\n]|\.\s(?=\p{L}{3})/u).at(-1) ?? ''
const firstSentence = (text: string) => text.split(/[!?\n]|\.\s/u)[0] ?? ''

function findDates(text: string, today: number): FoundDate[] {
  const found: FoundDate[] = []
  const add = (match: RegExpExecArray, at: number | null) => {
    if (at === null) return
    const start = match.index
    const end = start + match[0].length
    if (!found.some((other) => start < other.end && other.start < end)) found.push({ start, end, at })
  }
  for (const match of text.matchAll(isoDate)) add(match, dateOf(match[1], Number(match[2]), Number(match[3]), today))
  for (const match of text.matchAll(dayMonth)) {
    add(match, dateOf(match[3], months.get(match[2] ?? '') ?? 0, Number(match[1]), today))
  }
  for (const match of text.matchAll(monthDay)) {
    add(match, dateOf(match[3], months.get(match[1] ?? '') ?? 0, Number(match[2]), today))
  }
  for (const match of text.matchAll(numeric)) add(match, numericDate(match, today))
  for (const match of text.matchAll(/(?<!\d)(\d{1,2})月(\d{1,2})日/g)) {
    add(match, dateOf(undefined, Number(match[1]), Number(match[2]), today))
  }
  return found
}

/** `9/8` is the 9th of August or the 8th of September: the nearer one that is not past. With dots the day is first. */
function numericDate(match: RegExpExecArray, today: number): number | null {
  const [, first = '', separator = '', second = '', year] = match
  // 10.30 is a time, and 3.5 a number, where nothing else marks a date.
  if (separator === '-' && year === undefined) return null
  const dayFirst = dateOf(year, Number(second), Number(first), today)
  if (separator === '.') return dayFirst
  const monthFirst = dateOf(year, Number(first), Number(second), today)
  const usable = [dayFirst, monthFirst].filter((at) => at !== null && at >= today - dayMs) as number[]
  return usable.length === 0 ? null : Math.min(...usable)
}

function dateOf(yearText: string | undefined, month: number, day: number, today: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null
  const written = yearText === undefined || yearText === '' ? null : Number(yearText)
  const thisYear = new Date(today).getUTCFullYear()
  const year = written === null ? thisYear : written < 100 ? 2000 + written : written
  const at = Date.UTC(year, month - 1, day)
  if (new Date(at).getUTCDate() !== day) return null
  return written === null && at < today - dayMs ? Date.UTC(year + 1, month - 1, day) : at
}
