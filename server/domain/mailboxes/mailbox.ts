import type { SmtpSecurity } from '../../../contract/mail/config.ts'
import type { MailboxTokens } from './mailbox-tokens.ts'
import type { Provider } from '../../../contract/mail/config.limits.ts'

/** Where a mailbox takes mail. */
export interface SmtpServer {
  host: string
  port: number
  security: SmtpSecurity
}

/** A mailbox whose login was tried and worked. */
export interface NewMailboxRow {
  id: string
  emailAddress: string
  provider: Provider
  /** Null where the provider table or the sandbox decides. */
  server: SmtpServer | null
  /** Null for one that signs in with tokens. */
  appPassword: string | null
  /** Of a sign-in at the provider. Default null: it has an app password. */
  tokens?: MailboxTokens | null
  secretKey: string
}

/** A connected mailbox as its owner sees it. */
export interface MailboxRow {
  id: string
  emailAddress: string
  provider: Provider
  secretKey: string | null
  status: 'active' | 'paused'
  pauseReason: string | null
  createdAt: Date
}

/** What the sender needs to open a mailbox. */
export interface MailboxSecrets {
  mailboxId: string
  workspaceId: string
  emailAddress: string
  provider: Provider | 'system'
  server: SmtpServer | null
  appPassword: string | null
  /** Of a sign-in at the provider. Default null. */
  tokens?: MailboxTokens | null
  /** Changes each time its owner connects it. Default: of a mailbox that is not connected. */
  credentialsVersion?: number
  /** The limits that its owner has set, as one text that changes when they do. */
  ownerLimits?: string
}

/** What an owner changes of a mailbox; what is undefined stays as it is. */
export interface MailboxChange {
  status?: 'active' | 'paused'
  /** Where it is paused. */
  pauseReason?: string
  /** Null: what is known of the provider. */
  limitPerMinute?: number | null
  limitPerDay?: number | null
  limitConnections?: number | null
}

/** What is known of a provider's limits; null: no known limit. */
export interface KnownLimits {
  perMinuteCount: number | null
  perDayCount: number | null
  connectionCount: number
}

/** What a mailbox has used of its quota, and what went wrong last within a week. */
export interface MailboxUsageRow {
  id: string
  provider: Provider
  emailAddress: string
  /** Of its own; null: what is known of the provider. */
  limitPerMinute: number | null
  limitPerDay: number | null
  limitConnections: number | null
  minuteCount: number
  dayCount: number
  /** The mail server's reply; null without an error. */
  errorReply: string | null
  errorRecipient: string | null
  errorAt: Date | null
}
