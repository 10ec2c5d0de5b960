import type { Provider } from '../../contract/limits.ts'
import type {
  ClaimedDelivery,
  DeliveryVariables,
  LeasedDelivery,
  MessageContent,
  Settlement,
} from '../domain/delivery.ts'
import type { MailboxLimits, SmtpEndpoint } from './providers.ts'
import type { SmtpLogin, SmtpNetwork } from './smtp-session.ts'

/** The queue as the sender needs it; every promise may reject while the database is away. */
export interface SenderQueue {
  listDueMailboxes: () => Promise<string[]>
  claim: (claim: { configId: string; owner: string; token: string; limit: number }) => Promise<ClaimedDelivery[]>
  /** Gives the messages whose rows changed. */
  settle: (settlements: readonly Settlement[]) => Promise<string[]>
  listLeased: (owner: string) => Promise<LeasedDelivery[]>
  /** Sends back what these owners hold under other claims than those; `readTokens` is asked once the cut-off stands. */
  releaseLost: (owners: readonly string[], readTokens: () => string[]) => Promise<number>
  giveUpLeases: (hours: number) => Promise<number>
  cancelOrphans: () => Promise<number>
}

/** A mailbox, opened: its password is in clear here and nowhere else. */
export interface SenderMailbox {
  provider: Provider | 'system'
  emailAddress: string
  /** Null where it has no mail server at this moment, such as the sandbox's while that is off. */
  endpoint: SmtpEndpoint | null
  /** Null for a server that wants none. */
  login: SmtpLogin | null
  limits: MailboxLimits
}

export interface SenderMailboxes {
  /** Null once it is deleted. Asked before each new connection, so that a new password counts at once. */
  open: (configId: string) => Promise<SenderMailbox | null>
  /** Stops a mailbox, until an instant or (null) until its owner acts. */
  pause: (configId: string, reason: string, until: Date | null) => Promise<void>
}

export interface SenderMessages {
  /** What a message's mails are built from, sealed context opened; null if it is gone. */
  findContent: (messageId: string) => Promise<MessageContent | null>
}

/** Where the sender tells what happened; never an address, a body or a secret. */
export interface SenderLog {
  info: (facts: Record<string, unknown>, text: string) => void
  warn: (facts: Record<string, unknown>, text: string) => void
  error: (facts: Record<string, unknown>, text: string) => void
}

export interface SenderPorts {
  queue: SenderQueue
  mailboxes: SenderMailboxes
  messages: SenderMessages
  /** Asked after each claim, before anything of it is sent. Gives those of the addresses that must not be written to. */
  suppressions?: { find: (configId: string, addresses: readonly string[]) => Promise<ReadonlySet<string>> }
  /** Such as `unsubscribe_url`. */
  variables?: DeliveryVariables
  /** Makes the coming months' partitions; called daily. */
  prepareMonths: () => Promise<void>
  /** `folder`: of this process alone. `bootId`: from readBootId. */
  journal: { folder: string; bootId: string | null }
  clock: () => Date
  /** From 0 up to 1. */
  random: () => number
  /** A new UUID. */
  newId: () => string
  log: SenderLog
  /** Messages whose deliveries have just been settled, or whose mailbox was paused, by this sender. */
  onSettled: (messageIds: readonly string[]) => void
  network?: SmtpNetwork
  /** Mailboxes that are served at a time; a busy one makes room for those that wait. Default 500. */
  lanesMaxCount?: number
}
