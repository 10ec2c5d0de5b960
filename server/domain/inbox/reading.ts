import type { InboxKind, InboxMatch } from '../../../contract/inbox/inbox.ts'
import type { EventName } from '../../../contract/results/event.ts'
import type { MailboxKey } from '../messages/delivery.ts'
import type { InboxDetail } from './inbox-mail.ts'

/** An IMAP server; `isTrusted`: named by the operator or the sandbox, may be private and without TLS. */
export interface ImapEndpoint {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'none'
  isTrusted: boolean
}

/** How a mailbox signs in by IMAP. */
export type ImapLogin = { user: string; pass: string } | { user: string; accessToken: string }

export type FolderRole = 'inbox' | 'junk' | 'sent'

/** How far a folder was read. */
export interface FolderPosition {
  folder: string
  role: FolderRole
  uidValidity: number
  lastUid: number
}

/** A mailbox that this process reads, under the lease's token. */
export interface ReaderLease extends MailboxKey {
  token: string
  /** Failed connections in a row. */
  attempts: number
}

/** What a connection needs to know of its mailbox. */
export interface ReadingMailbox extends MailboxKey {
  endpoint: ImapEndpoint
  login: ImapLogin
  /** Mails that arrived before are not answers to look at. */
  readingSince: Date
  /** Whether it has sent within 30 days: then it is read by IDLE. */
  isActive: boolean
  credentialsVersion: number
}

/** Why a mailbox cannot be opened for reading. */
export type ReadingObstacle = { kind: 'gone' } | { kind: 'needs_consent' | 'not_offered' | 'failing'; sentence: string }

/** The delivery that a mail answers. */
export interface MatchedDelivery {
  month: string
  id: number
  messageId: string
  contactId: number | null
  /** In lower case. */
  recipient: string
}

/** One answer found in a mailbox. */
export interface FoundMail {
  folder: string
  uidValidity: number
  uid: number
  /** 16 bytes; the same wherever the mail lies. */
  mailIdHash: Buffer
  kind: InboxKind
  match: InboxMatch
  delivery: MatchedDelivery
  fromAddress: string
  subject: string
  excerpt: string
  detail: InboxDetail
  receivedAt: Date
  /** Null where nothing follows from it. */
  event: EventName | null
}

/** A Message-ID that the provider gave one of our mails. */
export interface ProviderId {
  /** 16 bytes. */
  idHash: Buffer
  messageId: string
  deliveryId: number
}

/** The results of up to 100 mails of one folder, written together with the position behind them. */
export interface ReadingBatch {
  position: FolderPosition
  mails: readonly FoundMail[]
  providerIds: readonly ProviderId[]
  /** Mails seen, and bounces that match none of ours; the rest is counted where it is written. */
  counts: { seen: number; unmatchedBounces: number }
}
