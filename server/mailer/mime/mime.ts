import {
  escapeHeader,
  escapeHtml,
  fillParts,
  fillTemplate,
  parseTemplate,
  variablesOf,
  type TemplatePart,
} from '../../../contract/mail/merge-variables.ts'
import { mailMaxBytes } from '../../../contract/mail/message.limits.ts'
import type { DeliveryVariables, MessageContent } from '../../domain/messages/delivery.ts'
import { groupDeliveryId, messageIdCode } from '../../domain/messages/message-id.ts'
import { withAttachments } from './attachment-parts.ts'
import { encodeBody, mergeValues, type MailRecipient, type MergeValues, type Part, type Slot } from './merge-slots.ts'
import { addressesHeader, formatDate, plainHeader, senderHeader, textHeader } from './mail-header.ts'
import type { BufferPool } from '../smtp/buffer-pool.ts'
import type { WireMail } from '../smtp/smtp-job.ts'
import { textAlternativeOf } from './text-alternative.ts'
import { UnbuildableError } from './unbuildable-error.ts'

/** A message compiled once, from which each recipient's mail is built. */
export interface CompiledMessage {
  fromAddress: string
  /** Approximate memory use. */
  sizeBytes: number
  /** Builds the whole mail of one recipient, in a buffer of `buffers` if knownText. */
  build(mail: MailRecipient, date: Date, buffers?: BufferPool | null): WireMail
}

/** Parts of a message that are known before it is compiled. */
export interface KnownParts {
  /** The text part of the HTML. */
  text?: readonly TemplatePart[] | undefined
  /** What is sent in place of the content. The text part is made of the content. */
  html?: readonly TemplatePart[] | undefined
}

/**
 * Parses a message's subject, content and headers and encodes the static parts once; each mail encodes only its own
 * values. Throws MergeSyntaxError for an invalid merge variable.
 */
export function compileMessage(
  message: MessageContent,
  variables: DeliveryVariables = {},
  known: KnownParts = {},
): CompiledMessage {
  const values = mergeValues(message, variables)
  const content = parseTemplate(message.content)
  const headers: Part[] = [
    senderHeader('From', message.fromAddress, message.fromName),
    ...recipientParts(message),
    ...(message.replyTo === null ? [] : [`Reply-To: ${message.replyTo}\r\n`]),
    headerPart('Subject', message.subject, textHeader, values),
    ...messageIdParts('Message-ID', message, variables, values),
    ...(message.isRead === true ? messageIdParts('X-Sendwright-Id', message, variables, values) : []),
    'Date: ',
    dateSlot(),
    '\r\n',
    ...feedbackParts(message),
    ...message.extraHeaders.map(({ name, value }) => headerPart(name, value, plainHeader, values)),
    'MIME-Version: 1.0\r\n',
  ]
  const body = bodyParts(message, content, values, known)
  const files = message.attachments ?? []
  const filesBytes = files.reduce((sum, { encoded }) => sum + encoded.byteLength, 0)
  const layout = layOut([...headers, ...(files.length === 0 ? body : withAttachments(message.id, body, files))])
  const sizeBytes = 4 * (message.subject.length + message.content.length) + filesBytes
  const { fromAddress } = message
  return {
    fromAddress,
    sizeBytes,
    build: (mail, date, buffers) => assemble(layout, mail, date, { buffers: buffers ?? null, filesBytes }),
  }
}

function headerPart(
  name: string,
  text: string,
  format: (name: string, value: string) => string,
  values: MergeValues,
): Part {
  const parts = parseTemplate(text)
  const finish = (filled: string) => format(name, escapeHeader(filled).trim())
  if (variablesOf(parts).length === 0) return finish(fillTemplate(parts, {}))
  return (mail) =>
    finish(
      fillParts(
        parts,
        (variable) => escapeHeader(values.read(variable, mail)),
        (condition) => values.holds(condition, mail),
      ),
    )
}

/** The same for everyone where the message has copies. A mail that has no address to show names a group without members. */
function recipientParts({ group }: MessageContent): Part[] {
  if (group === null) return ['To: ', ({ recipient }) => recipient, '\r\n']
  const to = group.to.length > 0 ? group.to : group.cc.length > 0 ? [] : ['undisclosed-recipients:;']
  return [
    ...(to.length > 0 ? [addressesHeader('To', to)] : []),
    ...(group.cc.length > 0 ? [addressesHeader('Cc', group.cc)] : []),
  ]
}

/** Campaign and workspace number, by which providers report complaints of a campaign (feedback loop of Gmail). */
function feedbackParts({ campaignId, links }: MessageContent): Part[] {
  if (campaignId === null || links === undefined) return []
  return [`Feedback-ID: ${campaignId}:${links.workspaceNo}:campaign:sendwright\r\n`]
}

/** The same in every attempt (domain/messages/message-id.ts). */
function messageIdParts(
  name: 'Message-ID' | 'X-Sendwright-Id',
  { id, fromAddress, group }: MessageContent,
  variables: DeliveryVariables,
  values: MergeValues,
): Part[] {
  const domain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1)
  const code = { name: messageIdCode, fallback: '' }
  const idOf = (mail: MailRecipient) =>
    variables[messageIdCode] === undefined ? String(mail.id) : `${mail.id}.${values.read(code, mail)}`
  const own = group === null ? idOf : idOf({ id: groupDeliveryId, recipient: '', context: null })
  return [`${name}: <${id}.`, own, `@${domain}>\r\n`]
}

function dateSlot(): Slot {
  let second = Number.NaN
  let text = ''
  return (_mail, date) => {
    const now = Math.floor(date.getTime() / 1000)
    if (now !== second) text = formatDate(date)
    second = now
    return text
  }
}

function bodyParts(
  message: MessageContent,
  content: readonly TemplatePart[],
  values: MergeValues,
  known: KnownParts,
): Part[] {
  if (!message.isHtml) return [entityHeader('plain'), ...encodeBody(content, (value) => value, values), '\r\n']
  const text = known.text ?? (message.textPart === null ? textAlternativeOf(content) : parseTemplate(message.textPart))
  const html = encodeBody(known.html ?? content, escapeHtml, values)
  if (text.every((part) => typeof part === 'string' && part.trim() === ''))
    return [entityHeader('html'), ...html, '\r\n']
  // Quoted-printable never holds `=_`, so no body can hold the boundary.
  const boundary = `=_${message.id}`
  return [
    `Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n`,
    `--${boundary}\r\n${entityHeader('plain')}`,
    ...encodeBody(text, (value) => value, values),
    `\r\n--${boundary}\r\n${entityHeader('html')}`,
    ...html,
    `\r\n--${boundary}--\r\n`,
  ]
}

function entityHeader(subtype: 'plain' | 'html'): string {
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`
}

/** A mail as encoded texts and places of slots. A slot with many places, as the token of links, is filled once a mail. */
interface Layout {
  slots: { fill: Slot; placeCount: number }[]
  /** A number: the slot with this index. */
  pieces: (Buffer | number)[]
  /** Of all texts. */
  textBytes: number
}

function layOut(parts: readonly (Part | Buffer)[]): Layout {
  const layout: Layout = { slots: [], pieces: [], textBytes: 0 }
  const places = new Map<Slot, number>()
  const addText = (bytes: Buffer) => {
    layout.pieces.push(bytes)
    layout.textBytes += bytes.length
  }
  let text = ''
  const endText = () => {
    if (text !== '') addText(Buffer.from(text))
    text = ''
  }
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    endText()
    if (typeof part !== 'function') {
      addText(part)
      continue
    }
    const index = places.get(part) ?? layout.slots.push({ fill: part, placeCount: 0 }) - 1
    places.set(part, index)
    layout.pieces.push(index)
    const slot = layout.slots[index]
    if (slot) slot.placeCount += 1
  }
  endText()
  return layout
}

/** Space after a mail for the final dot and the next envelope. */
const tailMaxBytes = 2048

/** The size is checked when a message is accepted; this happens if the campaign changed at the same time. */
const tooLarge = 'The mail is larger than 10 MB. Shorten its text or the values of its variables, and send it again.'

function assemble(
  { slots, pieces, textBytes }: Layout,
  mail: MailRecipient,
  date: Date,
  { buffers, filesBytes }: { buffers: BufferPool | null; filesBytes: number },
): WireMail {
  // Only the address may be non-ASCII, with up to three bytes per UTF-16 unit.
  let maxBytes = textBytes + 2 * mail.recipient.length
  const filled = slots.map(({ fill, placeCount }) => {
    const text = fill(mail, date)
    maxBytes += placeCount * text.length
    if (maxBytes > mailMaxBytes + filesBytes) throw new UnbuildableError(tooLarge)
    return { text, start: -1, end: -1 }
  })
  const buffer = buffers ? buffers.acquire(maxBytes + tailMaxBytes) : Buffer.allocUnsafe(maxBytes)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece !== 'number') {
      at += piece.copy(buffer, at)
      continue
    }
    const value = filled[piece]
    if (value === undefined) continue
    if (value.start >= 0) {
      // Faster than encoding the text again.
      buffer.copyWithin(at, value.start, value.end)
      at += value.end - value.start
      continue
    }
    value.start = at
    at += buffer.write(value.text, at)
    value.end = at
  }
  return { bytes: buffer.subarray(0, at), isWireReady: true, ...(buffers && { buffer }) }
}
