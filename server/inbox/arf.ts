import { MailHeaders } from './mime/headers.ts'
import type { ParsedMail } from './mime/parse-mail.ts'

/** A feedback report (RFC 5965). */
export interface FeedbackReport {
  /** As `abuse`, `fraud`, `not-spam`. */
  type: string
  /** The program that made it. */
  userAgent: string
}

/** The report of a `message/feedback-report` part; null without one. */
export function readFeedbackReport({ parts }: ParsedMail): FeedbackReport | null {
  const part = parts.find(({ type }) => type === 'message/feedback-report')
  if (part === undefined) return null
  const fields = new MailHeaders(part.text)
  const type = fields.get('feedback-type').trim().toLowerCase()
  return type === '' ? null : { type, userAgent: fields.get('user-agent').slice(0, 200) }
}
