/** What keeps a text from being the origin of a page. */
export type OriginProblem = 'no_address' | 'scheme' | 'insecure' | 'more' | 'wildcard' | 'credentials'

/** What to do about each; the name of what is refused goes before it. */
export const originProblems: Readonly<Record<OriginProblem, string>> = {
  no_address: 'is no address; write it as https://www.example.com',
  scheme: 'has to begin with https://',
  insecure: 'has to begin with https://; only localhost may use http://',
  more: 'goes on after the host name; leave the path out, such as https://www.example.com',
  wildcard: 'holds a *; name each origin in full',
  credentials: 'holds a user name or password; leave it out',
}

/**
 * Reads the origin of a web page as a person writes it, and gives it as browsers send it: scheme, host in lower case, port
 * where it is not the scheme's own (RFC 6454 §6.2). https only, but for localhost.
 */
export function readOrigin(text: string): { ok: true; origin: string } | { ok: false; problem: OriginProblem } {
  const trimmed = text.trim()
  if (trimmed.includes('*')) return refuse('wildcard')
  const url = URL.parse(trimmed)
  if (url === null || !/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed)) return refuse('no_address')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('scheme')
  if (url.username !== '' || url.password !== '') return refuse('credentials')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || /[?#]$/.test(trimmed)) return refuse('more')
  if (url.protocol === 'http:' && !isLocal(url.hostname)) return refuse('insecure')
  return { ok: true, origin: url.origin }
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]'
}

function refuse(problem: OriginProblem): { ok: false; problem: OriginProblem } {
  return { ok: false, problem }
}
