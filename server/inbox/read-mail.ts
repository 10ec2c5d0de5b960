import { createHash } from 'node:crypto'
import type { InboxKind, InboxMatch } from '../../contract/inbox/inbox.ts'
import type { EventName } from '../../contract/results/event.ts'
import type { InboxDetail } from '../domain/inbox/inbox-mail.ts'
import type { FolderRole, FoundMail, MatchedDelivery } from '../domain/inbox/reading.ts'
import { readFeedbackReport } from './arf.ts'
import { readBounce, type BouncedRecipient } from './bounce/read-bounce.ts'
import { isAuthenticated, isNullReturnPath, isOfMailSystem, type Candidate } from './classify.ts'
import { findOurIds, normalizeSubject, readMessageIds, returnedText, type OurId } from './match-keys.ts'
import { readMailbox, type MailHeaders } from './mime/headers.ts'
import { parseMail, type ParsedMail } from './mime/parse-mail.ts'
import { plainTextOf, textAboveQuotation } from './mime/plain-text.ts'
import { findReturnDate } from './words/return-date.ts'
import { isUnsubscribeRequest } from './words/unsubscribe-words.ts'

/** Finds deliveries of one workspace. Each resolves to null where there is none. */
export interface FindDelivery {
  byId: (id: OurId) => Promise<MatchedDelivery | null>
  /** Whether the Message-ID's code is ours. */
  isProved: (id: OurId) => boolean
  /** By hashes of Message-IDs that a provider gave our mails. */
  byProviderId: (hashes: readonly Buffer[]) => Promise<MatchedDelivery | null>
  /** The last mail of this mailbox to the address within 14 days. */
  byAddress: (address: string, before: Date) => Promise<MatchedDelivery | null>
  /** The last mail to the address with that subject within 30 days. `subject`: normalized. */
  bySubject: (address: string, subject: string, before: Date) => Promise<MatchedDelivery | null>
}

/** Where a mail lies. */
export interface MailPlace {
  folder: string
  role: FolderRole
  uidValidity: number
  uid: number
  receivedAt: Date
  sizeBytes: number
}

/** What became of one candidate. */
export interface ReadResult {
  mails: FoundMail[]
  unmatchedBounces: number
}

const subjectMaxChars = 500
const textMaxBytes = 65_536
const hashBytes = 16

export const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, hashBytes)

/** Reads one candidate's source and finds what it answers. Never throws for a malformed mail. */
export async function readMail(
  candidate: Exclude<Candidate, 'none' | 'own'>,
  headers: MailHeaders,
  source: Buffer,
  place: MailPlace,
  find: FindDelivery,
): Promise<ReadResult> {
  const mail = parseMail(source)
  const base = baseOf(headers, mail, place)
  if (candidate === 'feedback') return readComplaint(mail, base, find)
  if (candidate === 'bounce') {
    const recipients = readBounce(mail)
    if (recipients !== null) return readRecipients(recipients, mail, headers, base, find)
    if (isOfMailSystem(headers, base.fromAddress) || isNullReturnPath(headers))
      return { mails: [], unmatchedBounces: 1 }
  }
  return readAnswer(candidate === 'bounce' ? 'answer' : candidate, headers, mail, base, find)
}

type Base = Pick<
  FoundMail,
  'folder' | 'uidValidity' | 'uid' | 'mailIdHash' | 'fromAddress' | 'subject' | 'receivedAt'
> & { detail: InboxDetail; hashText: string }

function baseOf(headers: MailHeaders, mail: ParsedMail, place: MailPlace): Base {
  const { folder, uidValidity, uid, receivedAt, sizeBytes } = place
  const from = readMailbox(headers.get('from'))
  const messageId = readMessageIds(headers.get('message-id'))[0]
  const hashText = messageId ?? [headers.get('date'), headers.get('from'), headers.get('subject'), sizeBytes].join('\n')
  return {
    folder,
    uidValidity,
    uid,
    hashText,
    mailIdHash: hashOf(hashText),
    fromAddress: from?.address ?? '',
    subject: headers.decoded('subject').slice(0, subjectMaxChars),
    receivedAt,
    detail: {
      ...(from !== null && from.name !== '' && { from_name: from.name }),
      ...(mail.isCut && { is_cut: true }),
    },
  }
}

const found = (
  { hashText: _hashText, ...base }: Base,
  kind: InboxKind,
  match: InboxMatch,
  delivery: MatchedDelivery,
  rest: { excerpt: string; event: EventName | null; detail?: InboxDetail; mailIdHash?: Buffer },
): FoundMail => ({ ...base, kind, match, delivery, ...rest, detail: { ...base.detail, ...rest.detail } })

async function readComplaint(mail: ParsedMail, base: Base, find: FindDelivery): Promise<ReadResult> {
  const report = readFeedbackReport(mail)
  const none = { mails: [], unmatchedBounces: 0 }
  if (report === null || report.type === 'not-spam') return none
  const text = returnedText(mail)
  const delivery = (await byProvedId(findOurIds(text), find)) ?? (await find.byProviderId(hashesOf(text)))
  if (delivery === null) return none
  return {
    mails: [found(base, 'complaint', 'id', delivery, { excerpt: '', event: 'complained' })],
    unmatchedBounces: 0,
  }
}

const hashesOf = (text: string) => readMessageIds(text).map(hashOf)

async function byProvedId(ids: readonly OurId[], find: FindDelivery): Promise<MatchedDelivery | null> {
  for (const id of ids) {
    if (!find.isProved(id)) continue
    const delivery = await find.byId(id)
    if (delivery !== null) return delivery
  }
  return null
}

/** An older mail's id has no code: the address has to be the delivery's. */
async function byUnprovedId(
  ids: readonly OurId[],
  addresses: readonly string[],
  find: FindDelivery,
): Promise<MatchedDelivery | null> {
  for (const id of ids) {
    if (id.mac !== null) continue
    const delivery = await find.byId(id)
    if (delivery !== null && addresses.includes(delivery.recipient)) return delivery
  }
  return null
}

async function readRecipients(
  recipients: readonly BouncedRecipient[],
  mail: ParsedMail,
  headers: MailHeaders,
  base: Base,
  find: FindDelivery,
): Promise<ReadResult> {
  const text = returnedText(mail)
  const ids = findOurIds(text)
  const byId = (await byProvedId(ids, find)) ?? (await find.byProviderId(hashesOf(text)))
  const isVerified = isNullReturnPath(headers) || isAuthenticated(headers)
  const mails: FoundMail[] = []
  let unmatchedBounces = 0
  for (const [index, bounced] of recipients.entries()) {
    const addresses = [bounced.address, bounced.originalAddress].filter((address) => address !== null)
    const isOfId = byId !== null && (recipients.length === 1 || addresses.includes(byId.recipient))
    let delivery = isOfId ? byId : await byUnprovedId(ids, addresses, find)
    let match: InboxMatch = 'id'
    for (const address of delivery === null ? addresses : []) {
      delivery ??= await find.byAddress(address, base.receivedAt)
      match = isVerified ? 'recipient' : 'unverified'
    }
    // No recipient of the report is ours: the mail was forwarded, and the first entry is about it.
    if (delivery === null && byId !== null && index === 0) [delivery, match] = [byId, 'id']
    if (bounced.outcome.kind === 'delivered') continue
    if (delivery === null) unmatchedBounces++
    else mails.push(toBounce(base, bounced, delivery, match, index))
  }
  return { mails, unmatchedBounces }
}

function toBounce(
  base: Base,
  { outcome, status, words, server }: BouncedRecipient,
  delivery: MatchedDelivery,
  match: InboxMatch,
  index: number,
): FoundMail {
  const isDelay = outcome.kind === 'delayed'
  const reason = outcome.kind === 'delivered' ? 'undefined' : outcome.reason
  const action = outcome.kind === 'bounced' ? outcome.action : 'waiting'
  const event = isDelay ? 'delayed' : action === 'sender' ? 'sender_refused' : 'bounced'
  return found(base, isDelay ? 'delay' : 'bounce', match, delivery, {
    excerpt: words,
    event: match === 'unverified' ? null : event,
    detail: { reason, action, words, ...(status !== '' && { status }), ...(server !== '' && { server }) },
    // Each recipient of a report is a row of its own; the first one's hash is that of the mail.
    ...(index > 0 && { mailIdHash: hashOf(`${base.hashText}\n${index}`) }),
  })
}

async function readAnswer(
  candidate: 'auto_reply' | 'answer',
  headers: MailHeaders,
  mail: ParsedMail,
  base: Base,
  find: FindDelivery,
): Promise<ReadResult> {
  const references = `${headers.get('in-reply-to')} ${headers.get('references')}`
  const ids = findOurIds(references)
  const byId =
    (await byProvedId(ids, find)) ??
    (await byUnprovedId(ids, [base.fromAddress], find)) ??
    (await find.byProviderId(hashesOf(references)))
  const text = plainTextOf(mail)
  const isRequest = candidate === 'answer' && isUnsubscribeRequest(textAboveQuotation(text))
  const delivery =
    byId ??
    (await find.bySubject(base.fromAddress, answeredSubject(base.subject, candidate), base.receivedAt)) ??
    // A request for no more mails need not be an answer to one.
    (isRequest ? await find.byAddress(base.fromAddress, base.receivedAt) : null)
  if (delivery === null) return { mails: [], unmatchedBounces: 0 }
  const match: InboxMatch = byId === null ? 'probable' : 'id'
  const excerpt = Buffer.from(text)
    .subarray(0, textMaxBytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '')
  const detail = detailOfAnswer(headers, references, base.fromAddress)
  const one = (mailFound: FoundMail) => ({ mails: [mailFound], unmatchedBounces: 0 })
  if (candidate === 'auto_reply') {
    const returnsOn = findReturnDate(`${base.subject}\n${text}`, base.receivedAt)
    const more = { ...detail, ...(returnsOn !== null && { returns_on: returnsOn }) }
    return one(found(base, 'auto_reply', match, delivery, { excerpt, event: 'auto_replied', detail: more }))
  }
  if (isRequest) {
    const isTrusted = match === 'id' || isAuthenticated(headers)
    const proof: InboxMatch = match === 'id' ? 'id' : isTrusted ? 'recipient' : 'unverified'
    return one(
      found(base, 'unsubscribe', proof, delivery, { excerpt, event: isTrusted ? 'unsubscribed' : null, detail }),
    )
  }
  return one(found(base, 'reply', match, delivery, { excerpt, event: match === 'id' ? 'replied' : null, detail }))
}

/** What is needed to answer: the mail's id, the ids it refers to, and where its sender wants answers. */
function detailOfAnswer(headers: MailHeaders, references: string, fromAddress: string): InboxDetail {
  const replyTo = readMailbox(headers.get('reply-to'))?.address
  const messageId = readMessageIds(headers.get('message-id'))[0]
  return {
    ...(messageId !== undefined && { message_id: messageId }),
    ...(references.trim() !== '' && { references: readMessageIds(references).join(' ').slice(0, 4000) }),
    ...(replyTo !== undefined && replyTo !== fromAddress && { reply_to: replyTo }),
    is_verified: isAuthenticated(headers),
  }
}

/** Automatic replies put words before the subject: "Automatic reply: Hello". */
function answeredSubject(subject: string, candidate: 'auto_reply' | 'answer'): string {
  const normalized = normalizeSubject(subject)
  const colon = candidate === 'auto_reply' ? normalized.indexOf(':') : -1
  return colon === -1 ? normalized : normalizeSubject(normalized.slice(colon + 1))
}
