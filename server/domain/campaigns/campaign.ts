import type { PageQuery } from '../core/page.ts'
import type { CampaignAudience, LeftOutCounts } from './audience.ts'
import type { campaignStatuses } from '../../../contract/mail/campaign.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'

/** Campaigns that the timeline of a contact shows: the last of its workspace that started. */
export const timelineCampaignsMaxCount = 200

/** State of a campaign. Only deliveries of a `sending` campaign leave the queue. */
export type CampaignStatus = (typeof campaignStatuses)[number]

/** Recipients of a campaign by state. */
export type CampaignCounts = Record<DeliveryState, number>

/** Texts of a campaign. */
export interface CampaignTexts {
  name: string
  subject: string
  /** HTML. */
  body: string
  context: MergeContext
}

/** When a campaign is to start, and the zone that was named with it. */
export interface CampaignSchedule {
  scheduledAt: Date | null
  timezone: string | null
}

/** What can be edited in a campaign; what is launched is built from it. */
export interface CampaignContent extends CampaignTexts, CampaignSchedule {
  /** Mailboxes that share it. */
  mailboxIds: readonly string[]
  /** Lists and segments that it goes to, beside its recipients. */
  audience: CampaignAudience
}

/** A campaign as its workspace sees it. */
export interface CampaignRow extends CampaignContent {
  id: string
  workspaceId: string
  templateId: string | null
  status: CampaignStatus
  statusReason: string | null
  createdAt: Date
  /** When a composer staged it; null once it is launched, and for one that was not staged. */
  stagedAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  counts: CampaignCounts
  /** Whether its audience is not copied into the queue completely: it is `preparing`, or paused meanwhile. */
  isFilling: boolean
  /** People of its audience who get nothing, by reason; null before it is prepared. */
  leftOut: LeftOutCounts | null
}

/** A campaign as read for a read-modify-write. */
export type ReadCampaign = CampaignContent & Pick<CampaignRow, 'status'>

/** Whether a campaign is still as it was read: not edited, launched or paused since. */
export function isAsRead(now: ReadCampaign, read: ReadCampaign): boolean {
  const textOf = ({
    status,
    name,
    subject,
    body,
    context,
    scheduledAt,
    timezone,
    mailboxIds,
    audience,
  }: ReadCampaign) =>
    JSON.stringify([status, name, subject, body, context, scheduledAt, timezone, mailboxIds, Object.values(audience)])
  return textOf(now) === textOf(read)
}

/** Which campaigns of a workspace, newest first; null: any. */
export interface CampaignPage extends PageQuery {
  status: CampaignStatus | null
  /** Text that occurs in the name or the subject, whatever its case. */
  search: string | null
  /** Whether their bodies are read; they are '' else. */
  withBody: boolean
}

/** Which recipients of a campaign; null: any. */
export interface RecipientFilter {
  state: DeliveryState | null
  /** Part of an address, in lower case. */
  search: string | null
}

/** A recipient on its way into a campaign. */
export interface CampaignRecipient {
  address: string
  /** Equal for two spellings of one mailbox. */
  key: string
  context: MergeContext | null
  /** The mailbox that writes to it. */
  mailboxId: string
}

/** A line of a stream of recipients, or why it is none. */
export type RecipientLine =
  { line: number; email: string; context: MergeContext | null } | { line: number; refusal: string }
