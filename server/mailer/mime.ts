import MailComposer from 'nodemailer/lib/mail-composer'
import { encodeWord } from 'nodemailer/lib/mime-funcs'
import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  parseTemplate,
  type MergeContext,
  type TemplatePart,
} from '../../contract/merge-variables.ts'
import type { MessageContent } from '../domain/delivery.ts'
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

/** Reads a message's subject and content. Throws MergeSyntaxError where a merge variable cannot be read. */
export function compileMail(message: MessageContent): MailTemplate {
  const subject = parseTemplate(message.subject)
  const content = parseTemplate(message.content)
  const alternative = message.isHtml ? textAlternativeOf(content) : []
  return {
    fromAddress: message.fromAddress,
    sizeBytes: 4 * (message.subject.length + message.content.length),
    build(delivery, date) {
      const context = { ...message.context, ...delivery.context }
      const composer = new MailComposer({
        from: { name: '', address: message.fromAddress },
        to: { name: '', address: delivery.recipient },
        headers: { Subject: { prepared: true, foldLines: true, value: encodeSubject(fillHeader(subject, context)) } },
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
