/** UTM parameters of a campaign, by their names without `utm_`. */
export type UtmParameters = Readonly<Record<string, string>>

/** The address with the parameters that it lacks. What the author wrote stays byte for byte. */
export function withUtm(url: string, utm: UtmParameters): string {
  const hashAt = url.indexOf('#')
  const base = hashAt < 0 ? url : url.slice(0, hashAt)
  const queryAt = base.indexOf('?')
  const own = new URLSearchParams(queryAt < 0 ? '' : base.slice(queryAt + 1))
  const added = Object.entries(utm)
    .filter(([name, value]) => value !== '' && !own.has(`utm_${name}`))
    .map(([name, value]) => `utm_${name}=${encodeURIComponent(value)}`)
  if (added.length === 0) return url
  const joint = queryAt < 0 ? '?' : /[?&]$/.test(base) ? '' : '&'
  return base + joint + added.join('&') + (hashAt < 0 ? '' : url.slice(hashAt))
}
