import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { MessageKind } from '../../../contract/mail/send/send-fields.ts'
import type { ExtraHeader } from './message.ts'

/** A message that waits for its time, in a list. */
export interface ScheduledSummaryRow {
  id: string
  fromAddress: string
  subject: string
  /** Recipients that wait for it. */
  recipientCount: number
  scheduledAt: Date
  timezone: string | null
  createdAt: Date
}

/** A message that waits for its time. */
export interface ScheduledRow extends ScheduledSummaryRow {
  mailboxId: string
  content: string
  isHtml: boolean
  context: MergeContext
  kind: MessageKind
  fromName: string | null
  replyTo: string | null
  cc: string[]
  bcc: string[]
  preheader: string
  /** Its design, or `{html}`, its body without footer. */
  design: unknown
  extraHeaders: readonly ExtraHeader[] | null
  /** All addresses, those of cc and bcc included. */
  recipients: string[]
}
