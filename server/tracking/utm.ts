import { utmNames } from '../../contract/results/tracking.limits.ts'

/** UTM parameters of a campaign, by their names without `utm_`. */
export type UtmParameters = Readonly<Record<string, string>>

/** The address with the parameters that it lacks, in the usual order. What the author wrote stays byte for byte. */
export function withUtm(url: string, utm: UtmParameters): string {
  const hashAt = url.indexOf('#')
  const base = hashAt < 0 ? url : url.slice(0, hashAt)
  const queryAt = base.indexOf('?')
  const own = new URLSearchParams(queryAt < 0 ? '' : base.slice(queryAt + 1))
  const added = utmNames.flatMap((name) => {
    const value = utm[name] ?? ''
    return value === '' || own.has(`utm_${name}`) ? [] : [`utm_${name}=${encodeURIComponent(value)}`]
  })
  if (added.length === 0) return url
  const joint = queryAt < 0 ? '?' : /[?&]$/.test(base) ? '' : '&'
  return base + joint + added.join('&') + (hashAt < 0 ? '' : url.slice(hashAt))
}
