import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  jsonb,
  pgSequence,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
  foreignKey,
} from 'drizzle-orm/pg-core'
import type { ExtraHeader } from '../../domain/messages/message.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import { campaigns } from './campaigns.ts'
import { bytea, instant } from './columns.ts'

/** What was accepted once for all of its recipients. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').notNull(),
    workspaceId: uuid('workspace_id').notNull(),
    /** Of the same workspace. Whoever writes messages holds these rows meanwhile, once for all (docs/decisions/0033). */
    mailboxId: uuid('config_id').notNull(),
    fromAddress: text('from_address').notNull(),
    subject: text('subject').notNull(),
    content: text('content').notNull(),
    isHtml: boolean('is_html').notNull(),
    context: jsonb('context').$type<MergeContext>().notNull(),
    /** Context of account mails, whose links hold tokens. */
    contextSealed: bytea('context_sealed'),
    /** Header lines of its own, in order; values may hold merge variables. */
    extraHeaders: jsonb('extra_headers').$type<readonly ExtraHeader[]>(),
    /** Null for what a send call accepted. */
    campaignId: uuid('campaign_id'),
    /** A mail that its sender tries out: statistics and lists leave it out. */
    isTest: boolean('is_test').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    foreignKey({
      columns: [table.workspaceId, table.campaignId],
      foreignColumns: [campaigns.workspaceId, campaigns.id],
    }),
    index('messages_workspace').on(table.workspaceId, table.createdAt),
    // Few; statistics subtract them.
    index('messages_tests')
      .on(table.workspaceId, table.createdAt)
      .where(sql`is_test`),
    index('messages_campaign')
      .on(table.campaignId)
      .where(sql`campaign_id is not null`),
  ],
)

/** Drawn from by deliveries; a partitioned table has no identity column before PostgreSQL 17. */
export const deliveryIds = pgSequence('delivery_ids')

/** One recipient of one message. Partitioned by month, so that old months are dropped, not deleted. */
export const deliveries = pgTable(
  'deliveries',
  {
    month: date('month', { mode: 'string' }).notNull(),
    id: bigint('id', { mode: 'number' })
      .notNull()
      .default(sql`nextval('delivery_ids')`),
    workspaceId: uuid('workspace_id').notNull(),
    messageId: uuid('message_id').notNull(),
    mailboxId: uuid('config_id').notNull(),
    /** Null for what a send call accepted. */
    campaignId: uuid('campaign_id'),
    recipient: text('recipient').notNull(),
    /** What this recipient has of its own, over the message's context. */
    context: jsonb('context').$type<MergeContext>(),
    state: text('state').$type<DeliveryState>().notNull().default('queued'),
    attempts: smallint('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    /** The sender that holds it, and the claim that fences its settling. */
    leaseOwner: uuid('lease_owner'),
    leaseToken: uuid('lease_token'),
    leasedAt: instant('leased_at'),
    /** What the mail server said last, code first. */
    reply: text('reply'),
    createdAt: instant('created_at').notNull().defaultNow(),
    settledAt: instant('settled_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.month, table.id] }),
    // Within a mailbox by campaign, so that a claim passes over a paused one at no cost.
    index('deliveries_due')
      .on(table.mailboxId, table.campaignId, table.nextAttemptAt, table.id)
      .where(sql`state in ('queued', 'deferred')`),
    index('deliveries_message').on(table.messageId, table.id),
    // What went wrong last with a mailbox; few are ever in it.
    index('deliveries_trouble')
      .on(table.mailboxId, table.id)
      .where(sql`state in ('failed', 'deferred')`),
    index('deliveries_leased')
      .on(table.mailboxId, table.leaseOwner)
      .where(sql`state = 'sending'`),
  ],
)
