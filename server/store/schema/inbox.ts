import { bigint, date, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { InboxKind, InboxMatch } from '../../../contract/inbox/inbox.ts'
import type { InboxDetail } from '../../domain/inbox/inbox-mail.ts'
import { ownerWorkspaceId } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

const workspaceId = () => uuid('workspace_id').notNull()
const count = (name: string) => integer(name).notNull().default(0)

/** Which process reads a mailbox, and when it is checked next; a row for each mailbox whose reading is on. */
export const mailboxReaders = tenantTable(
  'mailbox_readers',
  {
    workspaceId: ownerWorkspaceId(),
    mailboxId: uuid('config_id').notNull(),
    leaseOwner: uuid('lease_owner'),
    /** Fences writes of a process whose lease has ended. */
    leaseToken: uuid('lease_token'),
    leaseUntil: instant('lease_until'),
    nextPollAt: instant('next_poll_at').notNull().defaultNow(),
    /** A caller waits for a fresh state of the mailbox since then; null: none does. */
    checkRequestedAt: instant('check_requested_at'),
    /** Failed connections in a row. */
    attempts: count('attempts'),
    /** When the mail server last answered a command. */
    lastSeenAt: instant('last_seen_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.mailboxId] }),
    index('mailbox_readers_due').on(table.nextPollAt),
  ],
)

/** Folders that are read, with the position in each. */
export const mailboxFolders = tenantTable(
  'mailbox_folders',
  {
    workspaceId: ownerWorkspaceId(),
    mailboxId: uuid('config_id').notNull(),
    folder: text('folder').notNull(),
    role: text('role').$type<'inbox' | 'junk' | 'sent'>().notNull(),
    uidvalidity: bigint('uidvalidity', { mode: 'number' }).notNull(),
    /** Highest UID that was read. */
    lastUid: bigint('last_uid', { mode: 'number' }).notNull(),
    modseq: bigint('modseq', { mode: 'number' }),
    checkedAt: instant('checked_at'),
    error: text('error'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.mailboxId, table.folder] })],
)

/** Mails that answer one of ours: bounces, replies, auto-replies, complaints, unsubscribe requests. Kept 13 months. */
export const inboxMails = tenantTable(
  'inbox_mails',
  {
    workspaceId: ownerWorkspaceId(),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    mailboxId: uuid('config_id').notNull(),
    folder: text('folder').notNull(),
    uidvalidity: bigint('uidvalidity', { mode: 'number' }).notNull(),
    uid: bigint('uid', { mode: 'number' }).notNull(),
    /** The same for one mail in two folders, and for the recipients of one report different. */
    mailIdHash: bytea('mail_id_hash').notNull(),
    kind: text('kind').$type<InboxKind>().notNull(),
    deliveryMonth: date('delivery_month', { mode: 'string' }),
    deliveryId: bigint('delivery_id', { mode: 'number' }),
    contactId: bigint('contact_id', { mode: 'number' }),
    match: text('match').$type<InboxMatch>().notNull(),
    fromAddress: text('from_address').notNull(),
    subject: text('subject').notNull(),
    /** Plain text, up to 64 kB. */
    excerpt: text('excerpt').notNull(),
    detail: jsonb('detail').$type<InboxDetail>().notNull(),
    receivedAt: instant('received_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    readAt: instant('read_at'),
    archivedAt: instant('archived_at'),
    answerMessageId: uuid('answer_message_id'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    uniqueIndex('inbox_mails_mail').on(table.workspaceId, table.mailboxId, table.mailIdHash),
    index('inbox_mails_contact').on(table.workspaceId, table.contactId, table.receivedAt),
    index('inbox_mails_delivery').on(table.workspaceId, table.deliveryId),
    index('inbox_mails_mailbox').on(table.workspaceId, table.mailboxId, table.id.desc()),
  ],
)

/** Message-IDs that a provider gave our mails in place of ours. Kept 13 months. */
export const providerMessageIds = tenantTable(
  'provider_message_ids',
  {
    workspaceId: ownerWorkspaceId(),
    idHash: bytea('id_hash').notNull(),
    deliveryMonth: date('delivery_month', { mode: 'string' }).notNull(),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.idHash] })],
)

/** Temporary bounces in a row, by hash of the address. */
export const addressHealth = tenantTable(
  'address_health',
  {
    workspaceId: ownerWorkspaceId(),
    addressHash: bytea('address_hash').notNull(),
    softBounces: integer('soft_bounces').notNull(),
    firstBounceAt: instant('first_bounce_at').notNull(),
    lastBounceAt: instant('last_bounce_at').notNull(),
    lastReason: text('last_reason').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.addressHash] })],
)

/** What reading found in a mailbox each day. */
export const readingCounts = tenantTable(
  'reading_counts',
  {
    workspaceId: workspaceId(),
    mailboxId: uuid('config_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    seen: count('seen'),
    matched: count('matched'),
    bounces: count('bounces'),
    replies: count('replies'),
    autoReplies: count('auto_replies'),
    complaints: count('complaints'),
    unmatchedBounces: count('unmatched_bounces'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.mailboxId, table.day] })],
)
