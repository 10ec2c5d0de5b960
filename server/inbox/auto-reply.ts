import type { MailHeaders } from './mime/headers.ts'
import { languages } from './words/languages.ts'

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const subjects = new RegExp(
  String.raw`(?<!\p{L})(?:${languages.flatMap(({ autoSubjects }) => autoSubjects.map(escaped)).join('|')})(?!\p{L})`,
  'iu',
)
/** Words that are common in subjects of people: they count only at the beginning, and not behind "Re:". */
const common =
  /^(?:absent|ausente|assente|afwezig|poissa|semester|ferie|urlop|dovolená|on leave|lomalla|abwesend)(?!\p{L})/iu
const isCommon = /^(?:absent|ausente|assente|afwezig|poissa|semester|ferie|urlop|dovolená|on leave|lomalla|abwesend)$/iu

/** Whether a mail was sent by a machine in answer to one of ours (RFC 3834, and what mail systems do in place of it). */
export function isAutoReply(headers: MailHeaders): boolean {
  const submitted = headers.get('auto-submitted').trim().toLowerCase()
  if (submitted !== '' && !submitted.startsWith('no')) return true
  if (headers.has('x-autoreply') || headers.has('x-autorespond') || headers.has('x-autoreply-from')) return true
  if (/auto[_-]?reply/i.test(headers.get('precedence')) || /vacation/i.test(headers.get('x-mailer'))) return true
  return isAutoSubject(headers.decoded('subject'))
}

/** Whether a subject is one of automatic replies in twelve languages. */
export function isAutoSubject(subject: string): boolean {
  const text = subject.normalize('NFC').trim()
  // An answer of a person to an automatic reply.
  if (/^(?:re|aw|sv|vs|odp|antw)\s?:/i.test(text) && !/^(?:re|aw|sv|vs|odp|antw)\s?:\s{0,3}(?:auto|out of)/i.test(text))
    return false
  const found = subjects.exec(text)?.[0]
  if (found === undefined) return false
  return isCommon.test(found) ? common.test(text) : true
}
