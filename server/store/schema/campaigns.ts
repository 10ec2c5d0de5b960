import { sql } from 'drizzle-orm'
import { foreignKey, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { CampaignStatus } from '../../domain/campaigns/campaign.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import { workspaces } from './accounts.ts'
import { bytea, instant } from './columns.ts'

/**
 * Sends to many. The engine asks one thing of a campaign: whether it is `sending`; in every other state its deliveries stay
 * in the queue.
 */
export const campaigns = pgTable(
  'campaigns',
  {
    id: uuid('id').notNull(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    status: text('status').$type<CampaignStatus>().notNull().default('draft'),
    name: text('name').notNull().default(''),
    subject: text('subject').notNull().default(''),
    /** HTML as it was written; what is sent, with its footer, stands in its messages. */
    body: text('body').notNull().default(''),
    context: jsonb('context').$type<MergeContext>().notNull().default({}),
    /** Mailboxes that share it, in the order given; one message for each. */
    mailboxIds: uuid('config_ids').array().notNull().default([]),
    templateId: uuid('template_id'),
    /** Why it failed. */
    statusReason: text('status_reason'),
    scheduledAt: instant('scheduled_at'),
    timezone: text('timezone'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /**
     * Set while a composer prepares the campaign and its sender has not confirmed: lists and statistics leave it out, and
     * it is deleted after a day. Null once it is confirmed, and for campaigns that calls make.
     */
    stagedAt: instant('staged_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Recipients by state, once it has ended and nothing of it moves any more; null while they have to be counted. */
    counts: jsonb('counts').$type<Partial<Record<DeliveryState, number>>>(),
    /** Hidden since. It stays as what its mails belong to. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    // The workspace of a campaign that only its id names.
    index('campaigns_id').on(table.id),
    // What the clock looks at: few, however many have ended.
    index('campaigns_moving')
      .on(table.status)
      .where(sql`status in ('scheduled', 'sending', 'cancelled', 'failed') and counts is null`),
    index('campaigns_workspace').on(table.workspaceId, table.createdAt),
    // Claims ask for these only, however many have ended.
    index('campaigns_sending')
      .on(table.workspaceId)
      .where(sql`status = 'sending'`),
  ],
)

/** Who is in a campaign, so that each address is there once however often it is streamed in. */
export const campaignRecipients = pgTable(
  'campaign_recipients',
  {
    workspaceId: uuid('workspace_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    /** The first 16 bytes of the SHA-256 of the address's key. */
    addressHash: bytea('address_hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.campaignId, table.addressHash] }),
    foreignKey({
      columns: [table.workspaceId, table.campaignId],
      foreignColumns: [campaigns.workspaceId, campaigns.id],
    }).onDelete('cascade'),
  ],
)
