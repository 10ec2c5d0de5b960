const wildcards: readonly string[] = ['text/html', 'text/*', '*/*']

/** Whether an Accept header allows HTML (RFC 9110 §12.5.1): without one anything goes, and the most exact range decides. */
export function acceptsHtml(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true
  const ranges = new Map(accept.split(',').map(readRange))
  const decisive = wildcards.find((name) => ranges.has(name))
  return decisive !== undefined && ranges.get(decisive) !== 0
}

/** Whether it names HTML, as a browser's does that opens an address. */
export function namesHtml(accept: string | undefined): boolean {
  return accept?.split(',').some((range) => readRange(range)[0] === 'text/html') === true
}

/** A media range and its weight, 0 to 1. */
function readRange(text: string): [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [name, Number(weight ?? 1)]
}
