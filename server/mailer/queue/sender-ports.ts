import type { Provider } from '../../../contract/core/limits.ts'
import type {
  Claim,
  DeliveryVariables,
  ClaimResult,
  LeasedDelivery,
  MessageContent,
  DeliveryOutcome,
  UnopenedMessage,
} from '../../domain/messages/delivery.ts'
import type { MailboxLimits, SmtpEndpoint } from '../smtp/providers.ts'
import type { SmtpLogin, SmtpNetwork } from '../smtp/smtp-session.ts'

/** The queue as the sender needs it; every promise may reject while the database is away. */
export interface SenderQueue {
  /** By the mailbox, its owner's limits as a text that changes when they do. */
  listDueMailboxes: () => Promise<ReadonlyMap<string, string>>
  writeOutcomesAndClaim: (settlements: readonly DeliveryOutcome[], claim: Claim) => Promise<ClaimResult>
  /** Gives the messages whose rows changed. */
  writeOutcomes: (settlements: readonly DeliveryOutcome[]) => Promise<string[]>
  listLeased: (owner: string) => Promise<LeasedDelivery[]>
  /** Sends back what these owners hold under other claims than those; `readTokens` is asked once the cut-off stands. */
  releaseLost: (owners: readonly string[], readTokens: () => string[]) => Promise<number>
  expireLeases: (hours: number) => Promise<number>
  cancelOrphans: () => Promise<number>
  /** Of these mailboxes and campaigns, those of which nothing may leave at this moment. */
  listPaused: (mailboxIds: readonly string[], campaignIds: readonly string[]) => Promise<string[]>
}

/** The connections to mailboxes' servers, counted over all processes; what is not renewed for 45 s is free again. */
export interface SenderSlots {
  /** Takes as many as are wanted and free, in place of what the holder has of this mailbox; gives how many that are. */
  acquire: (given: { mailboxId: string; holder: string; wantedCount: number; limitCount: number }) => Promise<number>
  /** Gives the mailboxes for which the holder still has something. */
  renew: (holder: string, mailboxIds: readonly string[]) => Promise<string[]>
  /** Gives back those of one mailbox, or (null) all. */
  release: (holder: string, mailboxId: string | null) => Promise<void>
}

/** A mailbox, opened: its password is in clear here and nowhere else. */
export interface SenderMailbox {
  provider: Provider | 'system'
  emailAddress: string
  /** Null where it has no mail server at this moment, such as the sandbox's while that is off. */
  endpoint: SmtpEndpoint | null
  /** Whether only another process can send for it, as for a sandbox: its rows are left alone here. Default false. */
  isElsewhere?: boolean
  /** Null for a server that wants none. */
  login: SmtpLogin | null
  /** Of the login: another one each time its owner connects the mailbox. */
  credentialsVersion?: number | undefined
  limits: MailboxLimits
  /** The limits that its owner has set, in the words of `listDueMailboxes`. */
  ownerLimits?: string | undefined
}

export interface SenderMailboxes {
  /** Null once it is deleted. Asked before each new connection, so that a new password counts at once. */
  open: (mailboxId: string) => Promise<SenderMailbox | null>
  /**
   * Stops a mailbox, for so long or (null) until its owner acts. With a version only if its credentials are still those:
   * false if not.
   */
  pause: (
    mailboxId: string,
    reason: string,
    forMs: number | null,
    credentialsVersion: number | undefined,
  ) => Promise<boolean>
}

export interface SenderMessages {
  /** What messages' mails are built from, sealed contexts opened; without those that are gone. */
  findContents: (messageIds: readonly string[]) => Promise<(MessageContent | UnopenedMessage)[]>
}

/** Something to be done at the start and then again and again. */
export interface MaintenanceTask {
  intervalMs: number
  run: () => Promise<unknown>
}

/** Where the sender tells what happened; never an address, a body or a secret. */
export interface SenderLog {
  info: (facts: Record<string, unknown>, text: string) => void
  warn: (facts: Record<string, unknown>, text: string) => void
  error: (facts: Record<string, unknown>, text: string) => void
}

export interface SenderPorts {
  queue: SenderQueue
  slots: SenderSlots
  mailboxes: SenderMailboxes
  messages: SenderMessages
  /** Asked after each claim, before anything of it is sent. */
  suppressions?: {
    /** Gives those of the addresses that must not be written to. */
    find: (mailboxId: string, addresses: readonly string[]) => Promise<ReadonlySet<string>>
    /** Of these mailboxes, those for which somebody was put on the list within the last seconds. */
    listChanged: (mailboxIds: readonly string[]) => Promise<string[]>
    /** Addresses of which a mail server has said that they are gone. May be told the same again. */
    add: (addresses: readonly { mailboxId: string; address: string; reply: string }[]) => Promise<void>
  }
  /** Such as `unsubscribe_url`. */
  variables?: DeliveryVariables
  /** What the store wants done now and then beside sending. */
  maintenanceTasks: readonly MaintenanceTask[]
  /** `folder`: of this process alone. `bootId`: from readBootId. */
  journal: { folder: string; bootId: string | null }
  clock: () => Date
  /** Milliseconds that only ever grow, whatever happens to the clock. */
  tickMs: () => number
  /** From 0 up to 1. */
  random: () => number
  /** A new UUID. */
  newId: () => string
  log: SenderLog
  /** Messages whose deliveries have just been settled, or whose mailbox was paused, by this sender. */
  onOutcomesWritten: (messageIds: readonly string[]) => void
  network?: SmtpNetwork
  /** Mailboxes that are served at a time; a busy one makes room for those that wait. Default 500. */
  workersMaxCount?: number
}
