import { actionOf, type BounceAction, type BounceReason } from '../../../contract/inbox/bounce-reason.ts'
import { readMailbox } from '../mime/headers.ts'
import { plainTextOf } from '../mime/plain-text.ts'
import { parseMail, type ParsedMail } from '../mime/parse-mail.ts'
import { addressOf, readDsn, readMisplacedNotice, type DsnRecipient } from './dsn.ts'
import {
  afterSender,
  anywhere,
  bareList,
  bareName,
  continuedAnswer,
  copyMarker,
  delaySubject,
  delayWords,
  finalWords,
  footerLine,
  machines,
  replyCode,
  reportType,
  transcriptMark,
} from './notice-patterns.ts'
import { findStatus, isTemporaryText, reasonOf } from './reason.ts'
import { bounceSystems, generalSystemsCount, type BounceSystem } from './systems.ts'

/** What a report says of one recipient. `delivered`: nothing to do. */
export type BounceOutcome =
  | { kind: 'bounced'; reason: BounceReason; action: BounceAction }
  | { kind: 'delayed'; reason: BounceReason }
  | { kind: 'delivered' }

export interface BouncedRecipient {
  /** In lower case; null where the report names none. */
  address: string | null
  /** The address before it was forwarded, if the report names it. */
  originalAddress: string | null
  outcome: BounceOutcome
  status: string
  /** The mail server's words, one line. */
  words: string
  server: string
}

const wordsMaxChars = 1000
const textMaxChars = 16_000
const recipientsMaxCount = 100
const answerMaxLines = 20

/**
 * Reads a bounce: the fields of RFC 3464 where the report has them, else the text by the style of its mail system. Null if no
 * recipient and it reports no failure.
 */
export function readBounce(mail: ParsedMail): BouncedRecipient[] | null {
  const text = (plainTextOf(mail) || readMisplacedNotice(mail)).slice(0, textMaxChars)
  const fields = readDsn(mail)
  const failed = failedAddresses(mail)
  if (fields.length > 0) {
    // Exim names a file as the recipient where a local delivery failed.
    const address = fields.length === 1 && failed.length === 1 ? (failed[0] ?? null) : null
    const own = beforeCopy(mail, text)
    return fields.map((recipient) => fromFields(recipient, own, address))
  }
  const embedded = findEmbeddedReport(mail)
  if (embedded !== null) return embedded.map((recipient) => fromFields(recipient, beforeCopy(mail, text), null))
  const fromText = readText(mail, text)
  return fromText.length > 0 ? fromText : null
}

/** The fields of a report that a filter on the way put into a mail of its own. */
function findEmbeddedReport({ parts }: ParsedMail): DsnRecipient[] | null {
  const part = parts.find(({ type, text }) => type === 'message/rfc822' && reportType.test(text.slice(0, textMaxChars)))
  const fields = part === undefined ? [] : readDsn(parseMail(Buffer.from(part.text, 'latin1')))
  return fields.length > 0 ? fields : null
}

function fromFields(fields: DsnRecipient, text: string, failedAddress: string | null): BouncedRecipient {
  const { originalRecipient, action, server } = fields
  const diagnostic = wholeAnswer(fields.diagnostic, text)
  const finalRecipient = fields.finalRecipient ?? (originalRecipient === null ? failedAddress : null)
  const near = wordsNear(text, finalRecipient ?? originalRecipient)
  // Some systems leave the diagnostic out, or cut it, and write it in the text only.
  const isMeaningless = diagnostic === '' || reasonOf(fields.status, diagnostic) === 'undefined'
  const words = isMeaningless ? `${diagnostic} ${near}`.trim() : diagnostic
  const status = fields.status === '' ? findStatus(words) : fields.status
  return {
    address: finalRecipient,
    originalAddress: originalRecipient,
    outcome: outcomeOf(action, status, words, afterSender.test(near)),
    status,
    words: words.slice(0, wordsMaxChars),
    server,
  }
}

/** Sendmail and others report only the first line of an answer of several; the text has them all. */
function wholeAnswer(diagnostic: string, text: string): string {
  const code = continuedAnswer.exec(diagnostic)?.[1]
  if (code === undefined || diagnostic.includes(` ${code} `)) return diagnostic
  const lines = text.split('\n').map((line) => joined([line.replace(transcriptMark, '')]))
  const first = lines.indexOf(diagnostic)
  if (first === -1) return diagnostic
  const others = lines.slice(first, first + answerMaxLines)
  const last = others.findIndex((line) => !line.startsWith(`${code}-`))
  if (last === -1) return joined(others)
  return joined(others.slice(0, others[last]?.startsWith(`${code} `) ? last + 1 : last))
}

function outcomeOf(action: string, status: string, words: string, isOfSender = afterSender.test(words)): BounceOutcome {
  if (action === 'delivered' || status.startsWith('2.')) return { kind: 'delivered' }
  const found = reasonOf(status, words)
  // The server refused the sender before it knew the recipient.
  const reason = isOfSender && isOfAddressOrMail(found) ? 'policy_refused' : found
  if (action === 'delayed' || action === 'relayed' || action === 'expanded') return { kind: 'delayed', reason }
  if (status.startsWith('4.') || (status === '' && isTemporaryText(words))) return { kind: 'delayed', reason }
  return { kind: 'bounced', reason, action: actionOf(reason) }
}

/** At that point of the conversation a server knows neither the recipient nor the mail, only its size. */
const isOfAddressOrMail = (reason: BounceReason) =>
  reason === 'undefined' ||
  actionOf(reason) === 'dead' ||
  (actionOf(reason) === 'mail' && reason !== 'message_too_large')

/** The addresses of Exim's own field. */
const failedAddresses = ({ headers }: ParsedMail): string[] =>
  headers
    .all('x-failed-recipients')
    .flatMap((value) => value.split(','))
    .flatMap((value) => addressOf(value) ?? [])

/** The systems whose style the mail has, the most exact first. */
function systemsOf({ headers }: ParsedMail, whole: string): BounceSystem[] {
  const look = `${headers.decoded('from')}\n${headers.decoded('subject')}\n${whole.slice(0, 4000)}`.toLowerCase()
  return bounceSystems.filter(({ isFrom }) => isFrom.test(look))
}

/** The system's own text, without the mail that it returns. */
function beforeCopy(mail: ParsedMail, whole: string): string {
  const markers = [copyMarker, ...systemsOf(mail, whole).flatMap((system) => system.copyMarker ?? [])]
  const own = whole.slice(0, Math.min(whole.length, ...markers.flatMap((marker) => marker.exec(whole)?.index ?? [])))
  return withoutFooter(own)
}

/** Footers of filters ("scanned for viruses") follow a line; text there beside a code is no footer. */
function withoutFooter(text: string): string {
  const line = footerLine.exec(text)
  return line === null || text.slice(line.index).split('\n').some(hasCode) ? text : text.slice(0, line.index)
}

function readText(mail: ParsedMail, whole: string): BouncedRecipient[] {
  const { headers } = mail
  const subject = headers.decoded('subject')
  const systems = systemsOf(mail, whole)
  const named = failedAddresses(mail)
  const isOwn = createIsOwn(mail)
  const { text, addresses } = findAddresses(whole, systems, named, isOwn)
  // A notice of delay may quote the last refusal: the server tries again whatever its code was.
  const isNoticeOfDelay = delaySubject.test(subject) && !finalWords.test(subject)
  const isDelay = delayWords.test(`${subject}\n${text}`) && !finalWords.test(text)
  const bare = bareNames(text, readMailbox(headers.get('from'))?.address.split('@')[1] ?? '')
  const failed = [...new Set(bare.size > 0 ? bare.keys() : addresses)].slice(0, recipientsMaxCount)
  return failed.map((address) => {
    const reason = bare.get(address) ?? ''
    const words = reason === '' ? wordsNear(text, address, failed) : reason
    const status = findStatus(words)
    const isDelayed = isNoticeOfDelay || (isDelay && !status.startsWith('5.'))
    const outcome = outcomeOf(isDelayed ? 'delayed' : '', status, words)
    return { address, originalAddress: null, outcome, status, words: words.slice(0, wordsMaxChars), server: '' }
  })
}

/** The failed addresses by the first system that finds any, and the text before the returned mail. */
function findAddresses(
  whole: string,
  systems: readonly BounceSystem[],
  named: string[],
  isOwn: (address: string) => boolean,
): { text: string; addresses: string[] } {
  const before = (marker: RegExp) => whole.slice(0, marker.exec(whole)?.index ?? whole.length)
  const first = systems[0]
  if (named.length > 0) return { text: before(first?.copyMarker ?? copyMarker), addresses: named }
  // Any address counts only in a mail of a system that is not known.
  const isKnown = systems.length > generalSystemsCount
  for (const system of isKnown ? systems.slice(0, -1) : systems) {
    const text = before(system.copyMarker ?? copyMarker)
    const addresses = addressesIn(text, system.recipients, isOwn)
    if (addresses.length > 0) return { text, addresses }
  }
  const text = before(first?.copyMarker ?? copyMarker)
  const addresses = addressesIn(text, anywhere, isOwn).slice(0, 1)
  return addresses.length > 0
    ? { text, addresses }
    : { text: whole, addresses: addressesIn(whole, anywhere, isOwn).slice(0, 1) }
}

/**
 * Providers name their own users without the domain, below a line that announces recipients. The names with the domain, and the
 * words in brackets behind each.
 */
function bareNames(text: string, domain: string): ReadonlyMap<string, string> {
  const lines = domain === '' ? [] : (bareList.exec(text)?.[1] ?? '').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, name, reason = ''] = bareName.exec(line) ?? []
      return name === undefined ? [] : [[`${name}@${domain}`.toLowerCase(), reason] as const]
    }),
  )
}

/** The mail's own sender and receiver, and addresses of machines, are no failed recipients. */
function createIsOwn({ headers }: ParsedMail): (address: string) => boolean {
  const own = new Set(
    ['from', 'to', 'delivered-to', 'x-original-to', 'envelope-to'].flatMap(
      (name) => addressOf(headers.get(name)) ?? [],
    ),
  )
  return (address) => own.has(address) || machines.test(address)
}

function addressesIn(text: string, pattern: RegExp, isOwn: (address: string) => boolean): string[] {
  const found: string[] = []
  for (const match of text.matchAll(pattern)) {
    const address = addressOf(match[1] ?? '')
    if (address !== null && !isOwn(address)) found.push(address)
    if (found.length >= recipientsMaxCount) break
  }
  return found
}

/** The lines from an address to the next paragraph without further details, as one line; without it the lines with a reply code. */
function wordsNear(text: string, address: string | null, all: readonly string[] = []): string {
  const lines = text.split('\n')
  const at = address === null ? -1 : lines.findIndex((line) => line.toLowerCase().includes(address))
  if (at === -1) return joined(lines.filter((line) => hasCode(line)).slice(0, 6)) || joined(lines.slice(0, 12))
  const others = all.filter((other) => other !== address)
  const next = lines.findIndex(
    (line, index) => index > at && others.some((other) => line.toLowerCase().includes(other)),
  )
  const near = lines.slice(at, next === -1 ? at + 14 : Math.min(next, at + 14))
  const isAlone = near[0]?.trim().replace(/[<>:]/g, '').toLowerCase() === address
  let end = near.findIndex((line, index) => index > (isAlone ? 1 : 0) && line.trim() === '')
  // The words may be a paragraph of their own behind the address.
  if (end !== -1 && !near.slice(0, end).some(hasCode) && near.slice(end).some(hasCode)) end = -1
  const block = joined(end === -1 ? near : near.slice(0, end))
  if (hasCode(block)) return block
  const coded = lines.filter((line) => hasCode(line)).slice(0, 4)
  return coded.length > 0 ? `${block} ${joined(coded)}` : `${joined(near)} ${joined(lines.slice(0, at))}`.trim()
}

const hasCode = (line: string) => replyCode.test(line)

const joined = (lines: readonly string[]) =>
  lines
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2 * wordsMaxChars)
