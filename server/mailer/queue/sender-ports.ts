import type { Provider } from '../../../contract/mail/config.limits.ts'
import type {
  CampaignKey,
  Claim,
  DeadAddress,
  DeliveryVariables,
  DueMailbox,
  ClaimResult,
  LeasedDelivery,
  MailboxKey,
  MessageContent,
  DeliveryOutcome,
  TrackMessage,
  UnopenedMessage,
} from '../../domain/messages/delivery.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { TrackedLink } from '../../domain/tracking/mail-link.ts'
import type { MailboxLimits, SmtpEndpoint } from '../smtp/providers.ts'
import type { SmtpLogin, SmtpNetwork } from '../smtp/smtp-session.ts'

/** Queue operations of the sender. Every promise may reject while the database is away. */
export interface SenderQueue {
  listDueMailboxes: () => Promise<readonly DueMailbox[]>
  writeOutcomesAndClaim: (outcomes: readonly DeliveryOutcome[], claim: Claim) => Promise<ClaimResult>
  /** Returns the messages whose rows changed. */
  writeOutcomes: (outcomes: readonly DeliveryOutcome[]) => Promise<string[]>
  listLeased: (owner: string) => Promise<LeasedDelivery[]>
  /**
   * Releases rows that these owners hold under other claims than those of `readTokens`, which is called after the cut-off
   * time is set.
   */
  releaseLost: (owners: readonly string[], readTokens: () => string[]) => Promise<number>
  expireLeases: (hours: number) => Promise<number>
  cancelOrphans: () => Promise<number>
  /** Returns the ids of the mailboxes and campaigns that are paused. */
  listPaused: (mailboxes: readonly MailboxKey[], campaigns: readonly CampaignKey[]) => Promise<string[]>
}

/** Connection slots of mailboxes, shared by all processes. A slot expires 45 s after its last renewal. */
export interface SenderSlots {
  /** Replaces the holder's slots of this mailbox by up to `wantedCount` free ones; returns their number. */
  acquire: (given: MailboxKey & { holder: string; wantedCount: number; limitCount: number }) => Promise<number>
  /** Returns the ids of the mailboxes whose slots the holder still has. */
  renew: (holder: string, mailboxes: readonly MailboxKey[]) => Promise<string[]>
  /** Releases the slots of one mailbox, or of all (null). */
  release: (holder: string, mailbox: MailboxKey | null) => Promise<void>
}

/** A mailbox with its decrypted password. */
export interface SenderMailbox {
  provider: Provider | 'system'
  emailAddress: string
  /** Null if it has no mail server at the moment, such as a sandbox that is disabled. */
  endpoint: SmtpEndpoint | null
  /**
   * Whether only another process can send for it, as for a sandbox: this process does not claim its rows. Default false.
   */
  isElsewhere?: boolean
  /** Null for a server without authentication. */
  login: SmtpLogin | null
  /** Version of the login: changes each time the owner connects the mailbox. */
  credentialsVersion?: number | undefined
  limits: MailboxLimits
  /** The owner's limits, serialized as in `listDueMailboxes`. */
  ownerLimits?: string | undefined
}

export interface SenderMailboxes {
  /** Null if it was deleted. Called before each new connection, so that a new password takes effect at once. */
  open: (mailbox: MailboxKey) => Promise<SenderMailbox | null>
  /**
   * Pauses a mailbox for `forMs`, or until its owner acts (null). With a version: only if the credentials still have it,
   * else returns false.
   */
  pause: (
    mailbox: MailboxKey,
    reason: string,
    forMs: number | null,
    credentialsVersion: number | undefined,
  ) => Promise<boolean>
}

export interface SenderMessages {
  /** Contents of messages with decrypted contexts; messages that do not exist are left out. */
  findContents: (workspaceId: string, messageIds: readonly string[]) => Promise<(MessageContent | UnopenedMessage)[]>
}

/** Runs at the start and then periodically. */
export interface MaintenanceTask {
  intervalMs: number
  run: () => Promise<unknown>
}

/** The sender's log. Never contains an address, a body or a secret. */
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
  /** Checked after each claim, before any of its rows is sent. */
  suppressions?: {
    /** Returns the suppressed addresses among these. */
    find: (mailbox: MailboxKey, addresses: readonly string[]) => Promise<ReadonlySet<string>>
    /** Returns the ids of the mailboxes with suppressions added in the last seconds. */
    listChanged: (mailboxes: readonly MailboxKey[]) => Promise<string[]>
    /** Adds addresses that a mail server reported as nonexistent. Idempotent. */
    add: (addresses: readonly DeadAddress[]) => Promise<void>
  }
  /** Such as `unsubscribe_url`. */
  variables?: DeliveryVariables
  /** Without it, no message is tracked. */
  tracking?: {
    track: TrackMessage
    /** Keeps the links of a tracked message. Idempotent. */
    saveLinks: (message: MessageContent, links: readonly TrackedLink[]) => Promise<void>
    /** Of these addresses, those whose contacts restrict tracking. */
    findRestricted: (mailbox: MailboxKey, addresses: readonly string[]) => Promise<ReadonlyMap<string, TrackingMode>>
  }
  /** Periodic tasks of the stores. */
  maintenanceTasks: readonly MaintenanceTask[]
  /** `folder`: used by this process alone. `bootId`: from readBootId. */
  journal: { folder: string; bootId: string | null }
  clock: () => Date
  /** Monotonic clock, ms. */
  tickMs: () => number
  /** From 0 up to 1. */
  random: () => number
  /** A new UUID. */
  newId: () => string
  log: SenderLog
  /** Called with messages whose outcomes this sender has just written, or whose mailbox it paused. */
  onOutcomesWritten: (messageIds: readonly string[]) => void
  network?: SmtpNetwork
  /** Most mailbox workers at a time; busy ones make room for waiting mailboxes. Default 500. */
  workersMaxCount?: number
}
