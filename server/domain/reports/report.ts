import type { EventDetail, EventKind, Verdict } from '../../../contract/results/event.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'

/** Recipients by what they did; opens and clicks by people only. */
export interface SharedCounts {
  sent: number
  opened: number
  clicked: number
  bounced: number
  unsubscribed: number
}

/** An act that machines do as well. */
export interface ActCounts {
  people: number
  events: number
  /** Recipients for whom only machines did it. */
  machines: number
  /** Of these, the ones with the verdict `probable`. */
  probable: number
}

export interface HourCounts {
  at: Date
  opened: number
  machineOpens: number
  clicked: number
  machineClicks: number
  replied: number
  autoReplies: number
  unsubscribed: number
}

export interface DomainCounts extends SharedCounts {
  /** Null for the rest. */
  domain: string | null
  domains: number
}

export interface MailboxCounts extends SharedCounts {
  configId: string
  emailAddress: string
}

export interface LinkCounts {
  no: number
  url: string
  label: string | null
  people: number
  clicks: number
  machines: number
}

/** What became of a campaign, beside the counts of its ledger. */
export interface ReportRow {
  tracking: TrackingMode
  opened: ActCounts
  clicked: ActCounts
  replied: number
  autoReplied: number
  bounced: number
  /** Of these, the ones that a mail server took first. */
  bouncedLater: number
  complained: number
  unsubscribed: number
  bounces: { reason: string; people: number }[]
  hours: HourCounts[]
  domains: DomainCounts[]
  mailboxes: MailboxCounts[]
  links: LinkCounts[]
}

/** A report with the counts of the ledger. */
export interface CampaignReportRow extends ReportRow {
  sent: number
  delivered: number
  updatedAt: Date
}

/** Figures of a campaign in a list. */
export interface CampaignStats {
  tracking: TrackingMode
  opened: number
  clicked: number
  replied: number
  bounced: number
  unsubscribed: number
  machineOpens: number
}

/** An event of one mail. */
export interface MailEventRow {
  at: Date
  kind: EventKind
  verdict: Verdict | null
  linkNo: number | null
  url: string | null
  label: string | null
  detail: EventDetail | null
}
