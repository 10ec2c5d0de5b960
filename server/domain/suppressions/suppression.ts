import type { SuppressionReason } from '../../../contract/audience/suppression.ts'

/** An address that nothing of a workspace is sent to. */
export interface SuppressionRow {
  id: string
  /** In lower case. */
  email: string
  reason: SuppressionReason
  /** The mail server's reply. */
  detail: string | null
  campaignId: string | null
  createdAt: Date
}

/** Which of a workspace's suppressions; null: any. */
export interface SuppressionFilter {
  email: string | null
  /** Text that occurs in the address, in lower case. */
  search: string | null
  reason: SuppressionReason | null
}

export interface NewSuppression {
  /** In lower case. */
  email: string
  reason: SuppressionReason
  campaignId?: string | null
  detail?: string | null
  /** Since when it is known; null: from now on. */
  createdAt?: Date | null
  /** The mail whose link was used: an entry that changes something becomes an event of it. */
  mail?: { deliveryMonth: string; deliveryId: number }
}

/** Whom a mail was for. */
export interface MailedRecipient {
  workspaceId: string
  campaignId: string | null
  email: string
  fromAddress: string
  deliveryMonth: string
  deliveryId: number
}

/** Whether the recipient requested it; then only their consent removes it. */
export function isByPerson(reason: SuppressionReason): boolean {
  return reason === 'unsubscribed' || reason === 'complained'
}
