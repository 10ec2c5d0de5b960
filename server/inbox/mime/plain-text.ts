import type { ParsedMail } from './parse-mail.ts'

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', apos: "'" }

/** The readable text of a mail: its first plain part, else its first HTML part without markup. */
export function plainTextOf({ parts }: ParsedMail): string {
  const readable = parts.filter(({ isAttachment }) => !isAttachment)
  const plain = readable.find(({ type, text }) => type === 'text/plain' && text.trim() !== '')
  if (plain) return tidy(plain.text)
  const html = readable.find(({ type }) => type === 'text/html')
  return html ? tidy(htmlToText(html.text)) : ''
}

/** Removes markup; a quotation of HTML mail clients begins with `>`. Linear in the length of the text. */
export function htmlToText(html: string): string {
  let text = ''
  let at = 0
  let isHidden = false
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) {
      if (!isHidden) text += html.slice(at)
      break
    }
    if (!isHidden) text += html.slice(at, open)
    const close = html.indexOf('>', open)
    if (close === -1) break
    const tag = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 30))?.[1]?.toLowerCase() ?? ''
    const isEnd = html[open + 1] === '/'
    if (tag === 'style' || tag === 'script' || tag === 'head' || tag === 'title') isHidden = !isEnd
    else if (!isHidden && /^(?:br|p|div|tr|li|h[1-6]|blockquote|table)$/.test(tag)) {
      text += tag === 'blockquote' && !isEnd ? '\n> ' : '\n'
    }
    at = close + 1
  }
  return text.replace(
    /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi,
    (all, dec?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? all
      const code = dec === undefined ? Number.parseInt(hex ?? '0', 16) : Number(dec)
      return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' '
    },
  )
}

function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const quoteMarkers = [
  /^>/,
  /^-{2,}\s?(?:original message|ursprüngliche nachricht|message d'origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|wiadomość oryginalna|ursprungligt meddelande|oprindelig meddelelse|alkuperäinen viesti|původní zpráva|forwarded message|weitergeleitete nachricht)/i,
  /^_{10,}$/,
  /^(?:from|von|de|da|van|od|från|fra|lähettäjä|差出人)\s?:\s.{0,200}@/i,
  /(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|napisał(?:\(a\)|a)?|skrev|kirjoitti|napsal(?:\(a\)|a)?)[^\n]{0,120}:$/i,
]
const attribution = /^(?:on|am|le|el|il|em|op|dnia|den|w dniu)\s.{0,120}$/i

/** What a person wrote above the quotation and the signature. */
export function textAboveQuotation(text: string): string {
  const kept: string[] = []
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim().slice(0, 400)
    if (trimmed === '--' || line === '-- ') break
    const twoLines = `${trimmed} ${(lines[index + 1] ?? '').trim().slice(0, 200)}`
    if (quoteMarkers.some((marker) => marker.test(trimmed))) break
    if (attribution.test(trimmed) && quoteMarkers.some((marker) => marker.test(twoLines))) break
    kept.push(line)
  }
  return kept.join('\n').trim()
}
