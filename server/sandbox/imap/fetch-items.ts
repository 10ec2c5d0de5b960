import type { StoredMail } from './mail-store.ts'

type Literal = readonly [name: string, bytes: Buffer]

/** The answer to one FETCH item list, without the message's number: text and literals in order. */
export function fetchAnswer(mail: StoredMail, items: string): Buffer {
  const upper = items.toUpperCase()
  const texts = [`UID ${mail.uid}`]
  if (/\bFLAGS\b/.test(upper)) texts.push(`FLAGS (${[...mail.flags].join(' ')})`)
  if (upper.includes('RFC822.SIZE')) texts.push(`RFC822.SIZE ${mail.source.length}`)
  if (upper.includes('INTERNALDATE')) texts.push(`INTERNALDATE "${internalDate(mail.receivedAt)}"`)
  const literals: Literal[] = []
  const headerFields = /BODY\.PEEK\[(HEADER\.FIELDS \(([^)]*)\))\](?:<(\d+)\.(\d+)>)?/i.exec(items)
  if (headerFields) {
    const names = (headerFields[2] ?? '').split(/\s+/).map((name) => name.replaceAll('"', '').toLowerCase())
    literals.push(part(`BODY[${headerFields[1] ?? ''}]`, headersOf(mail.source, new Set(names)), headerFields.slice(3)))
  }
  const body = /BODY\.PEEK\[\](?:<(\d+)\.(\d+)>)?/i.exec(items)
  if (body) {
    literals.push(part('BODY[]', mail.source, body.slice(1)))
  }
  const chunks: Buffer[] = [Buffer.from(`(${texts.join(' ')}`)]
  for (const [name, bytes] of literals) chunks.push(Buffer.from(` ${name} {${bytes.length}}\r\n`), bytes)
  chunks.push(Buffer.from(')'))
  return Buffer.concat(chunks)
}

/** The bytes that a partial fetch asks for; all of them where it is none. */
function part(name: string, bytes: Buffer, [start, length]: readonly (string | undefined)[]): Literal {
  if (start === undefined) return [name, bytes]
  return [`${name}<${start}>`, bytes.subarray(Number(start), Number(start) + Number(length))]
}

function headersOf(source: Buffer, names: ReadonlySet<string>): Buffer {
  const end = source.indexOf('\r\n\r\n')
  const lines = source.toString('latin1', 0, end === -1 ? source.length : end).split('\r\n')
  let kept = ''
  let isKept = false
  for (const line of lines) {
    if (!/^[ \t]/.test(line)) isKept = names.has(line.slice(0, Math.max(0, line.indexOf(':'))).toLowerCase())
    if (isKept) kept += `${line}\r\n`
  }
  return Buffer.from(`${kept}\r\n`, 'latin1')
}

/** Whether a mail has the header field with this text in it. */
export function hasHeader(source: Buffer, name: string, text: string): boolean {
  const lines = headersOf(source, new Set([name.toLowerCase()])).toString('latin1')
  return lines.toLowerCase().includes(text.toLowerCase())
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function internalDate(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(two).join(':')
  return `${String(at.getUTCDate()).padStart(2, ' ')}-${months[at.getUTCMonth()] ?? ''}-${at.getUTCFullYear()} ${time} +0000`
}

/** The mails of a UID set such as `3:7,9` or `5:*`. */
export function inUidSet(mails: readonly StoredMail[], set: string): StoredMail[] {
  const last = mails.at(-1)?.uid ?? 0
  const ranges = set.split(',').map((range) => {
    const [from = '*', to = from] = range.split(':')
    const bounds = [from, to].map((text) => (text === '*' ? last : Number(text)))
    return [Math.min(...bounds), Math.max(...bounds)] as const
  })
  return mails.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to))
}
