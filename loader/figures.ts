/** What widgets wrote as the browser writes it, as a language does. */
interface Figures {
  /** A whole number; another text as it stands. */
  count: (text: string) => string
  /** A moment, ISO 8601: the time of day, with its day where that is another one; `text` where it is none. */
  time: (iso: string, text: string) => string
}

export function figures(lang: string): Figures {
  const locale = localeOf(lang)
  const own = new Intl.NumberFormat()
  const said = new Intl.NumberFormat(locale)
  const digits = Array.from({ length: 10 }, (_, digit) => own.format(digit))
  const group = own.formatToParts(1e6).find(({ type }) => type === 'group')?.value ?? ','
  return {
    count(text) {
      const plain = digits.reduce(
        (known, sign, digit) => known.replaceAll(sign, String(digit)),
        text.replaceAll(group, ''),
      )
      return /^\d+$/.test(plain) ? said.format(Number(plain)) : text
    },
    time(iso, text) {
      const at = new Date(iso)
      if (Number.isNaN(at.getTime())) return text
      const isToday = at.toDateString() === new Date().toDateString()
      return at.toLocaleString(locale, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
    },
  }
}

/** A page may name as its language what is none. */
function localeOf(lang: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(lang)[0]
  } catch {
    return undefined
  }
}
