import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  jsonb,
  pgSequence,
  primaryKey,
  smallint,
  text,
  uuid,
  foreignKey,
} from 'drizzle-orm/pg-core'
import type { AttemptReply, ExtraHeader } from '../../domain/messages/message.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import type { MessageOrigin, TrackingMode } from '../../../contract/results/tracking-mode.ts'
import { campaigns } from './campaigns.ts'
import type { MessageKind } from '../../../contract/mail/send/send-fields.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/** The part of a message that all of its recipients share. */
export const messages = tenantTable(
  'messages',
  {
    id: uuid('id').notNull(),
    workspaceId: uuid('workspace_id').notNull(),
    /** Statements that insert messages lock these rows once, in place of a foreign key (docs/decisions/0033). */
    mailboxId: uuid('config_id').notNull(),
    fromAddress: text('from_address').notNull(),
    subject: text('subject').notNull(),
    content: text('content').notNull(),
    isHtml: boolean('is_html').notNull(),
    context: jsonb('context').$type<MergeContext>().notNull(),
    /** Encrypted context of account mails, whose links contain tokens. */
    contextSealed: bytea('context_sealed'),
    /** Further header lines, in order; values may contain merge variables. */
    extraHeaders: jsonb('extra_headers').$type<readonly ExtraHeader[]>(),
    /** Null for messages of send calls. */
    campaignId: uuid('campaign_id'),
    /** A test mail: statistics and lists omit it. */
    isTest: boolean('is_test').notNull().default(false),
    kind: text('kind').$type<MessageKind>().notNull().default('transactional'),
    fromName: text('from_name'),
    replyTo: text('reply_to'),
    /** With any address here, all deliveries are copies of one mail. */
    cc: text('cc').array().notNull().default([]),
    bcc: text('bcc').array().notNull().default([]),
    preheader: text('preheader').notNull().default(''),
    /** Source of a message that waits for its time: its design, or `{html}`, its body without footer. */
    design: jsonb('design').$type<unknown>(),
    /** Template of the text part; null: made from the HTML. */
    textPart: text('text_part'),
    /** When it is to leave, and the zone that was named with it; null: at once. */
    scheduledAt: instant('scheduled_at'),
    timezone: text('timezone'),
    /** Until when the send can be undone; nothing leaves before. */
    undoUntil: instant('undo_until'),
    /** What created it. */
    origin: text('origin').$type<MessageOrigin>().notNull().default('api'),
    /** What its opens and clicks are recorded for. */
    tracking: text('tracking').$type<TrackingMode>().notNull().default('off'),
    /** Origin of its links, fixed when it is accepted. */
    linkBase: text('link_base'),
    /** Key of the ring that signs its tokens. */
    linkKeyId: text('link_key_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    foreignKey({
      columns: [table.workspaceId, table.campaignId],
      foreignColumns: [campaigns.workspaceId, campaigns.id],
    }),
    // The log of messages, newest first; it skips the few of campaigns, one for each mailbox.
    index('messages_workspace').on(table.workspaceId, table.createdAt),
    // Few rows; statistics subtract them.
    index('messages_tests')
      .on(table.workspaceId, table.createdAt)
      .where(sql`is_test`),
    // Few rows: they are shown until they leave.
    index('messages_scheduled')
      .on(table.workspaceId, table.scheduledAt, table.id)
      .where(sql`scheduled_at is not null`),
    index('messages_campaign')
      .on(table.campaignId)
      .where(sql`campaign_id is not null`),
  ],
)

/** Ids of deliveries; a partitioned table has no identity column before PostgreSQL 17. */
export const deliveryIds = pgSequence('delivery_ids')

/** One recipient of one message. Partitioned by month: old months are dropped, not deleted. */
export const deliveries = tenantTable(
  'deliveries',
  {
    month: date('month', { mode: 'string' }).notNull(),
    id: bigint('id', { mode: 'number' })
      .notNull()
      .default(sql`nextval('delivery_ids')`),
    workspaceId: uuid('workspace_id').notNull(),
    messageId: uuid('message_id').notNull(),
    mailboxId: uuid('config_id').notNull(),
    /** Null for messages of send calls. */
    contactId: bigint('contact_id', { mode: 'number' }),
    campaignId: uuid('campaign_id'),
    recipient: text('recipient').notNull(),
    /** The recipient's own values; they override the message's context. */
    context: jsonb('context').$type<MergeContext>(),
    state: text('state').$type<DeliveryState>().notNull().default('queued'),
    attempts: smallint('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    /** The sender that claimed it, and the claim's fencing token. */
    leaseOwner: uuid('lease_owner'),
    leaseToken: uuid('lease_token'),
    leasedAt: instant('leased_at'),
    /** The mail server's last reply, code first. */
    reply: text('reply'),
    /** The reply to each attempt, oldest first; null where the first attempt was taken. The last 20. */
    attemptReplies: jsonb('attempt_replies').$type<AttemptReply[]>(),
    createdAt: instant('created_at').notNull().defaultNow(),
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.month, table.id] }),
    // By campaign within a mailbox, so that claims skip paused campaigns at no cost.
    index('deliveries_due')
      .on(table.mailboxId, table.campaignId, table.nextAttemptAt, table.id)
      .where(sql`state in ('queued', 'deferred')`),
    index('deliveries_message').on(table.messageId, table.id),
    // The last failure of a mailbox; few rows.
    index('deliveries_trouble')
      .on(table.mailboxId, table.id)
      .where(sql`state in ('failed', 'deferred')`),
    index('deliveries_leased')
      .on(table.mailboxId, table.leaseOwner)
      .where(sql`state = 'sending'`),
  ],
)
