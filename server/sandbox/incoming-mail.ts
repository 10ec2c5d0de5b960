import { randomUUID } from 'node:crypto'
import type { IncomingKind } from '../../contract/inbox/inbox.limits.ts'

/** A mail that the sandbox received, as far as answers to it need it. */
export interface AnsweredMail {
  /** Address that it was sent from, and that the answer goes to. */
  from: string
  /** Its first recipient. */
  recipient: string
  subject: string
  /** With angle brackets. */
  messageId: string
}

const dayMs = 86_400_000
const awayDays = 8

/** Writes the mail that a recipient or a mail server would send in answer, as RFC 5322 text. */
export function incomingMail(kind: IncomingKind, mail: AnsweredMail, now: Date): Buffer {
  const lines = writers[kind](mail, now)
  return Buffer.from(lines.join('\r\n'))
}

const writers: Readonly<Record<IncomingKind, (mail: AnsweredMail, now: Date) => string[]>> = {
  bounce: ({ from, recipient, subject, messageId }, now) => [
    'Return-Path: <>',
    'From: Mail Delivery System <MAILER-DAEMON@mx.sandbox.invalid>',
    ...common(from, 'Undelivered Mail Returned to Sender', now),
    'Auto-Submitted: auto-replied',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="sandbox"',
    '',
    '--sandbox',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `The mail to ${recipient} could not be delivered.`,
    '',
    '--sandbox',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.sandbox.invalid',
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 No such user here',
    '',
    ...returned(mailHeaders({ from, recipient, subject, messageId })),
  ],
  reply: ({ from, recipient, subject, messageId }, now) => [
    `From: ${recipient}`,
    ...common(from, `Re: ${subject}`, now),
    ...thread(messageId),
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Thank you, that is good to know. Two places for us, please.',
    '',
    `On ${now.toISOString().slice(0, 10)}, ${from} wrote:`,
    `> ${subject}`,
    '',
  ],
  out_of_office: ({ from, recipient, subject, messageId }, now) => [
    `From: ${recipient}`,
    ...common(from, `Automatic reply: ${subject}`, now),
    ...thread(messageId),
    'Auto-Submitted: auto-replied',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `I am out of the office and back on ${new Date(now.getTime() + awayDays * dayMs).toISOString().slice(0, 10)}.`,
    '',
  ],
  complaint: ({ from, recipient, subject, messageId }, now) => [
    'From: Feedback Loop <fbl@feedback.sandbox.invalid>',
    ...common(from, 'Complaint about a mail from you', now),
    'Content-Type: multipart/report; report-type=feedback-report; boundary="sandbox"',
    '',
    '--sandbox',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'A recipient reported this mail as spam.',
    '',
    '--sandbox',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: Sandbox/1.0',
    'Version: 1',
    '',
    ...returned(mailHeaders({ from, recipient, subject, messageId })),
  ],
}

function common(to: string, subject: string, now: Date): string[] {
  return [
    `To: ${to}`,
    `Subject: ${encoded(subject)}`,
    `Date: ${now.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomUUID()}@sandbox.invalid>`,
    'MIME-Version: 1.0',
  ]
}

const thread = (messageId: string) => [`In-Reply-To: ${messageId}`, `References: ${messageId}`]

const mailHeaders = ({ from, recipient, subject, messageId }: AnsweredMail) => [
  `From: ${from}`,
  `To: ${recipient}`,
  `Subject: ${encoded(subject)}`,
  `Message-ID: ${messageId}`,
]

const returned = (headers: readonly string[]) => [
  '--sandbox',
  'Content-Type: message/rfc822',
  '',
  ...headers,
  '',
  '--sandbox--',
  '',
]

/** Encoded words for anything but printable ASCII (RFC 2047), of whole characters. */
function encoded(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ')
  if (/^[\x20-\x7e]*$/.test(line)) return line
  const words: string[] = []
  let word = ''
  for (const character of line) {
    if (Buffer.byteLength(word + character) > 42) {
      words.push(word)
      word = ''
    }
    word += character
  }
  return [...words, word].map((part) => `=?utf-8?B?${Buffer.from(part).toString('base64')}?=`).join('\r\n ')
}
