import type { PageQuery } from '../core/page.ts'
import type { CampaignAudience, LeftOutCounts } from './audience.ts'
import type { CampaignSort, campaignStatuses } from '../../../contract/mail/campaign.ts'
import type { Design } from '../../../contract/design/design.ts'
import type { MessageKind } from '../../../contract/mail/send/send-fields.ts'
import type { TemplateMode } from '../../../contract/mail/template.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { RecipientAct } from '../../../contract/mail/campaign-recipient.ts'
import type { DeliveryRow } from '../messages/message.ts'

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
  /** HTML; rendered from the design if there is one. */
  body: string
  context: MergeContext
  mode: TemplateMode
  /** Null in mode html. */
  design: Design | null
  preheader: string
  /** Null: that of the mailbox. */
  fromName: string | null
  replyTo: string | null
  kind: MessageKind
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
  /** What its opens and clicks are recorded for, at most; null: as the workspace. */
  tracking: TrackingMode | null
  /** Parameters that its links get where they lack them, by their names without `utm_`. */
  utm: Record<string, string> | null
  /** Whether people who want one campaign a week get it in any week. */
  frequencyExempt: boolean
  createdAt: Date
  /** When a composer staged it; null once it is launched, and for one that was not staged. */
  stagedAt: Date | null
  startedAt: Date | null
  finishedAt: Date | null
  /** Grows with each change of its content. */
  revision: number
  /** Until when its launch can be undone; null: not. */
  undoUntil: Date | null
  counts: CampaignCounts
  /** Whether its audience is not copied into the queue completely: it is `preparing`, or paused meanwhile. */
  isFilling: boolean
  /** People of its audience who get nothing, by reason; null before it is prepared. */
  leftOut: LeftOutCounts | null
}

/** A campaign as read for a read-modify-write. */
export type ReadCampaign = CampaignSchedule & Pick<CampaignRow, 'status' | 'revision' | 'mailboxIds'>

/** Whether a campaign is still as it was read: not edited, launched or paused since. */
export function isAsRead(now: ReadCampaign, read: ReadCampaign): boolean {
  const textOf = ({ status, revision, scheduledAt, timezone }: ReadCampaign) =>
    JSON.stringify([status, revision, scheduledAt, timezone])
  return textOf(now) === textOf(read)
}

/** Which campaigns of a workspace, newest first; null: any. */
export interface CampaignPage extends PageQuery {
  status: CampaignStatus | null
  /** Text that occurs in the name or the subject, whatever its case. */
  search: string | null
  /** Whether their bodies are read; they are '' else. */
  withBody: boolean
  /** Age, or people of a figure; `after` is used only with `created`. */
  sort: CampaignSort
  order: 'asc' | 'desc'
}

/** Which recipients of a campaign; null: any. */
export interface RecipientFilter {
  state: DeliveryState | null
  /** Part of an address, in lower case. */
  search: string | null
  /** What they did, or did not. */
  act: RecipientAct | null
  /** Number of a link that they clicked. */
  linkNo: number | null
  /** Why their mail bounced. */
  bounceReason: string | null
  /** Domain of their address, in lower case. */
  domain: string | null
  /** Mailbox that sent to them. */
  mailboxId: string | null
}

/** A recipient of a campaign and what became of its mail. Opens and clicks are those by a person. */
export interface CampaignDeliveryRow extends DeliveryRow {
  mailboxId: string
  /** Address of the mailbox. */
  mailbox: string
  openedAt: Date | null
  clickedAt: Date | null
  repliedAt: Date | null
  bouncedAt: Date | null
}

/** A recipient with its message and its contact. */
export interface FoundRecipient extends CampaignDeliveryRow {
  ofMessageId: string
  contactId: number | null
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
  | { line: number; email: string; context: MergeContext | null }
  | { line: number; refusal: string }
