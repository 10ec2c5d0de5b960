import MailComposer from 'nodemailer/lib/mail-composer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  parseTemplate,
  variablesOf,
  type MergeContext,
  type TemplatePart,
} from '../../contract/merge-variables.ts'
import type { DeliveryVariables, MessageContent } from '../domain/delivery.ts'
import { messageIdOf } from '../domain/message-id.ts'
import { textAlternativeOf } from './text-alternative.ts'

/** A message read once, from which the mail of each recipient is built. */
export interface MailTemplate {
  fromAddress: string
  /** Roughly what it holds in memory. */
  sizeBytes: number
  /** The whole mail for one recipient, lines ended by CRLF, none longer than 998 bytes. */
  build(delivery: { id: number; recipient: string; context: MergeContext | null }, date: Date): Promise<Buffer>
}

/** Reads a message's subject, content and headers. Throws MergeSyntaxError where a merge variable cannot be read. */
export function compileMail(message: MessageContent, variables: DeliveryVariables = {}): MailTemplate {
  const subject = parseTemplate(message.subject)
  const content = parseTemplate(message.content)
  const alternative = message.isHtml ? textAlternativeOf(content) : []
  const extraHeaders = message.extraHeaders.map(({ name, value }) => ({ name, value: parseTemplate(value) }))
  const used = variablesOf([subject, content, ...extraHeaders.map(({ value }) => value)].flat())
  const own = used.filter((name) => Object.hasOwn(variables, name))
  return {
    fromAddress: message.fromAddress,
    sizeBytes: 4 * (message.subject.length + message.content.length),
    build(delivery, date) {
      const given = own.map((name) => [name, variables[name]?.(delivery, message) ?? ''] as const)
      const context = { ...message.context, ...delivery.context, ...Object.fromEntries(given) }
      const composer = new MailComposer({
        from: { name: '', address: message.fromAddress },
        to: { name: '', address: delivery.recipient },
        headers: [
          { key: 'Subject', value: plainHeader(encodeSubject(fillHeader(subject, context))) },
          ...extraHeaders.map(({ name, value }) => ({ key: name, value: plainHeader(fillHeader(value, context)) })),
        ],
        messageId: messageIdOf({ messageId: message.id, id: delivery.id, fromAddress: message.fromAddress }),
        date,
        ...bodies(message.isHtml, content, alternative, context),
        newline: 'windows',
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      return composer.compile().build()
    },
  }
}

function bodies(
  isHtml: boolean,
  content: readonly TemplatePart[],
  alternative: readonly TemplatePart[],
  context: MergeContext,
): { text?: string; html?: string } {
  if (!isHtml) return { text: unifyLines(fillTemplate(content, context)) }
  const html = unifyLines(fillTemplate(content, context, escapeHtml))
  const text = unifyLines(fillTemplate(alternative, context))
  return text.trim() === '' ? { html } : { text, html }
}

function plainHeader(value: string): { prepared: true; foldLines: true; value: string } {
  return { prepared: true, foldLines: true, value }
}

function fillHeader(parts: readonly TemplatePart[], context: MergeContext): string {
  return escapeHeader(fillTemplate(parts, context, escapeHeader)).trim()
}

/** Bare CR and bare LF end a line as CRLF does; a stray one reads differently on each server (SMTP smuggling). */
function unifyLines(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

const longestPlainWord = 60

/** A subject as header text: encoded where it is not plain, where it cannot be folded, where it would read as encoded. */
function encodeSubject(subject: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(subject)
  const isFoldable = subject.split(' ').every((word) => word.length <= longestPlainWord)
  return isPlain && isFoldable && !subject.includes('=?') ? subject : encodeWord(subject, 'Q', 52)
}
