import type { ParsedMail } from './mime/parse-mail.ts'

/** A Message-ID of ours: `<message id.delivery id[.code]@domain>` (domain/messages/message-id.ts). */
export interface OurId {
  messageId: string
  deliveryId: number
  /** The code that proves that its holder received the mail; null in mails without one. */
  mac: string | null
}

const idsMaxCount = 50
const ourId = /\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.(\d{1,15})(?:\.([0-9a-f]{16}))?@/gi

/** Message-IDs of ours in a text, each once, in order. */
export function findOurIds(text: string): OurId[] {
  const found = new Map<string, OurId>()
  for (const [, messageId = '', deliveryId = '', mac] of text.matchAll(ourId)) {
    const key = `${messageId}.${deliveryId}.${mac ?? ''}`.toLowerCase()
    if (!found.has(key)) {
      found.set(key, {
        messageId: messageId.toLowerCase(),
        deliveryId: Number(deliveryId),
        mac: mac?.toLowerCase() ?? null,
      })
    }
    if (found.size >= idsMaxCount) break
  }
  return [...found.values()]
}

/** All Message-IDs of a field, without angle brackets; for those that a provider put in place of ours. */
export function readMessageIds(text: string): string[] {
  return [...text.matchAll(/<([^<>\s]{3,250})>/g)].slice(0, idsMaxCount).map(([, id = '']) => id)
}

/** Everything in a report in which the returned mail's ids may stand: its own parts and texts, not only headers. */
export function returnedText({ headers, parts }: ParsedMail): string {
  const own = ['in-reply-to', 'references', 'x-original-message-id', 'original-message-id'].map((name) =>
    headers.get(name),
  )
  return [...own, ...parts.map(({ text }) => text)].join('\n')
}

/** Subject without the prefixes of answers, in lower case, for a comparison. */
export function normalizeSubject(subject: string): string {
  let text = subject.trim()
  for (let count = 0; count < 10; count++) {
    const shorter = text
      .replace(
        /^(?:re|aw|sv|vs|odp|odpověď|antw|antwoord|r|rif|res|ynt|fwd?|wg|tr|rv|vl|i)(?:\s?\[\d{1,3}\]|\^\d)?\s?[::]\s*/i,
        '',
      )
      .replace(/^\[(?:external|extern|ext)\]\s*/i, '')
    if (shorter === text) break
    text = shorter
  }
  return text.replace(/\s+/g, ' ').trim().toLowerCase()
}
