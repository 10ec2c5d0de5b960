import { sql } from 'drizzle-orm'
import { bigint, boolean, date, foreignKey, index, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { CampaignStatus } from '../../domain/campaigns/campaign.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import type { MessageKind } from '../../../contract/mail/send/send-fields.ts'
import type { TemplateMode } from '../../../contract/mail/template.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import { ownerWorkspaceId } from './accounts.ts'
import { bytea, instant } from './columns.ts'
import { tenantTable } from './table.ts'

/**
 * Campaigns. The engine sends deliveries of campaigns in the state `sending`; in every other state they stay in the
 * queue.
 */
export const campaigns = tenantTable(
  'campaigns',
  {
    id: uuid('id').notNull(),
    workspaceId: ownerWorkspaceId(),
    status: text('status').$type<CampaignStatus>().notNull().default('draft'),
    name: text('name').notNull().default(''),
    subject: text('subject').notNull().default(''),
    /** HTML without the footer; its messages hold the complete content. */
    body: text('body').notNull().default(''),
    context: jsonb('context').$type<MergeContext>().notNull().default({}),
    mode: text('mode').$type<TemplateMode>().notNull().default('html'),
    /** The design that the body was rendered from; null in mode html. */
    design: jsonb('design').$type<unknown>(),
    preheader: text('preheader').notNull().default(''),
    fromName: text('from_name'),
    replyTo: text('reply_to'),
    kind: text('kind').$type<MessageKind>().notNull().default('bulk'),
    /** Grows with each change. */
    revision: bigint('revision', { mode: 'number' }).notNull().default(1),
    /** Until when the launch can be undone; nothing leaves before. */
    undoUntil: instant('undo_until'),
    /** Mailboxes that send it, in order, with one message for each. */
    mailboxIds: uuid('config_ids').array().notNull().default([]),
    templateId: uuid('template_id'),
    /** Reason of the failure. */
    statusReason: text('status_reason'),
    scheduledAt: instant('scheduled_at'),
    timezone: text('timezone'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /**
     * Set for a campaign that a composer prepares, until it is confirmed: lists and statistics omit it, and it is
     * deleted after a day. Null for campaigns created by API calls.
     */
    stagedAt: instant('staged_at'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Recipients by state, once it has ended and no delivery is pending; null before. */
    counts: jsonb('counts').$type<Partial<Record<DeliveryState, number>>>(),
    /** Last contact of its audience that has a row, while it is prepared. */
    fillAfter: bigint('fill_after', { mode: 'number' }),
    /** Members of its audience that get nothing, by reason. */
    fillCounts: jsonb('fill_counts').$type<Record<string, number>>(),
    /** The process that prepares it, and until when it holds it. */
    fillOwner: text('fill_owner'),
    fillLeaseUntil: instant('fill_lease_until'),
    /** The frequency cap of contacts does not apply to it. */
    frequencyExempt: boolean('frequency_exempt').notNull().default(false),
    topicListId: bigint('topic_list_id', { mode: 'number' }),
    /** Null: as the workspace. */
    tracking: text('tracking').$type<TrackingMode>(),
    /** Parameters that its links get where they lack them, such as `{"utm_source":"newsletter"}`. */
    utm: jsonb('utm').$type<Record<string, string>>(),
    /** When it was hidden. The row is kept, because its messages refer to it. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    // Finds a campaign by its id alone.
    index('campaigns_id').on(table.id),
    // For the scheduler: few rows, however many campaigns have ended.
    index('campaigns_moving')
      .on(table.status)
      .where(sql`status in ('scheduled', 'sending', 'cancelled', 'failed') and counts is null`),
    index('campaigns_workspace').on(table.workspaceId, table.createdAt),
    index('campaigns_preparing')
      .on(table.createdAt)
      .where(sql`status = 'preparing'`),
    // For claims: few rows, however many campaigns have ended.
    index('campaigns_sending')
      .on(table.workspaceId)
      .where(sql`status = 'sending'`),
  ],
)

/**
 * Addresses of campaigns, so that a repeated stream adds each address once. Without a foreign key, which would be checked for
 * each row: who deletes a campaign deletes them.
 */
export const campaignRecipients = tenantTable(
  'campaign_recipients',
  {
    workspaceId: uuid('workspace_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    /** The first 16 bytes of the SHA-256 of the address in lower case. */
    addressHash: bytea('address_hash').notNull(),
    contactId: bigint('contact_id', { mode: 'number' }),
    /** Its row in the queue. */
    deliveryMonth: date('delivery_month', { mode: 'string' }),
    deliveryId: bigint('delivery_id', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.campaignId, table.addressHash] })],
)

/** Lists and segments that a campaign goes to, or leaves out. */
export const campaignAudiences = tenantTable(
  'campaign_audiences',
  {
    workspaceId: uuid('workspace_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    side: text('side').$type<'include' | 'exclude'>().notNull(),
    kind: text('kind').$type<'list' | 'segment'>().notNull(),
    /** Id of the list or segment. */
    refId: bigint('ref_id', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.campaignId, table.side, table.kind, table.refId] }),
    foreignKey({
      columns: [table.workspaceId, table.campaignId],
      foreignColumns: [campaigns.workspaceId, campaigns.id],
    }).onDelete('cascade'),
  ],
)
