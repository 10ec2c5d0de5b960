import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { EventKind, Verdict } from '../../../../contract/results/event.ts'
import type { BounceReason } from '../../../../contract/inbox/bounce-reason.ts'
import { bytea, instant } from '../columns.ts'
import { tenantTable } from '../table.ts'

// Tables that take a row for each mail have no foreign keys: a check costs as much as the row.

const workspaceId = () => uuid('workspace_id').notNull()
const contactId = () => bigint('contact_id', { mode: 'number' })
/** Id of the campaign, of the mailbox for mails of send calls, or of the sequence. */
const sourceId = () => uuid('source_id').notNull()
/** 0 outside experiments. */
const variantNo = () => smallint('variant_no').notNull().default(0)
const kind = () => smallint('kind').$type<EventKind>().notNull()
/** 1 for kinds without a verdict. */
const verdict = () => smallint('verdict').$type<Verdict>().notNull()
const people = () => bigint('people', { mode: 'number' }).notNull()

/** What became of each mail. Opens and clicks are those by people, except where the name says machine. */
export const engagements = tenantTable(
  'engagements',
  {
    workspaceId: workspaceId(),
    sourceId: sourceId(),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
    contactId: contactId(),
    deliveryMonth: date('delivery_month', { mode: 'string' }).notNull(),
    variantNo: variantNo(),
    /** The best verdict of its opens: 1 a person; null: not opened. The counts of people follow it. */
    openVerdict: smallint('open_verdict').$type<Verdict>(),
    clickVerdict: smallint('click_verdict').$type<Verdict>(),
    opens: integer('opens').notNull().default(0),
    clicks: integer('clicks').notNull().default(0),
    firstOpenAt: instant('first_open_at'),
    firstMachineOpenAt: instant('first_machine_open_at'),
    firstClickAt: instant('first_click_at'),
    firstMachineClickAt: instant('first_machine_click_at'),
    repliedAt: instant('replied_at'),
    autoRepliedAt: instant('auto_replied_at'),
    bouncedAt: instant('bounced_at'),
    complainedAt: instant('complained_at'),
    unsubscribedAt: instant('unsubscribed_at'),
    bounceReason: text('bounce_reason').$type<BounceReason>(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.sourceId, table.deliveryId] }),
    index('engagements_contact').on(table.workspaceId, table.contactId),
    index('engagements_answered')
      .on(table.workspaceId, table.sourceId, table.deliveryId)
      .where(
        sql`replied_at is not null or bounced_at is not null or complained_at is not null or unsubscribed_at is not null`,
      ),
  ],
)

/** Totals of a source: `n` events; `people` deliveries whose best verdict of the kind this is. */
export const sourceCounts = tenantTable(
  'source_counts',
  {
    workspaceId: workspaceId(),
    sourceId: sourceId(),
    variantNo: variantNo(),
    kind: kind(),
    verdict: verdict(),
    n: bigint('n', { mode: 'number' }).notNull(),
    people: people(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.sourceId, table.variantNo, table.kind, table.verdict] })],
)

/** The same by quarter of an hour; a delivery counts in the quarter of its first event with the best verdict. */
export const eventCounts = tenantTable(
  'event_counts',
  {
    workspaceId: workspaceId(),
    sourceId: sourceId(),
    variantNo: variantNo(),
    quarterAt: instant('quarter_at').notNull(),
    kind: kind(),
    verdict: verdict(),
    n: bigint('n', { mode: 'number' }).notNull(),
    people: people(),
  },
  (table) => [
    primaryKey({
      columns: [table.workspaceId, table.sourceId, table.variantNo, table.quarterAt, table.kind, table.verdict],
    }),
    // Figures of a workspace by day, whatever the number of its campaigns.
    index('event_counts_quarter').on(table.workspaceId, table.quarterAt),
  ],
)

/** Deliveries by domain of the address and by mailbox; opens and clicks by people only. */
export const breakdownCounts = tenantTable(
  'breakdown_counts',
  {
    workspaceId: workspaceId(),
    sourceId: sourceId(),
    dimension: text('dimension').$type<'domain' | 'mailbox'>().notNull(),
    value: text('value').notNull(),
    kind: kind(),
    people: people(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.sourceId, table.dimension, table.value, table.kind] })],
)

/** Clicks by link and delivery; not for mails of send calls. */
export const linkClicks = tenantTable(
  'link_clicks',
  {
    workspaceId: workspaceId(),
    sourceId: sourceId(),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
    contactId: contactId(),
    linkNo: smallint('link_no').notNull(),
    /** The best verdict of its clicks. */
    verdict: verdict(),
    /** By people. */
    clicks: integer('clicks').notNull(),
    firstAt: instant('first_at'),
    firstMachineAt: instant('first_machine_at'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.sourceId, table.linkNo, table.deliveryId] })],
)

export const linkCounts = tenantTable(
  'link_counts',
  {
    workspaceId: workspaceId(),
    sourceId: sourceId(),
    linkNo: smallint('link_no').notNull(),
    verdict: verdict(),
    clicks: bigint('clicks', { mode: 'number' }).notNull(),
    people: people(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.sourceId, table.linkNo, table.verdict] })],
)

/** Mails that a mail server took, by address. Partitioned by month, as `deliveries`. */
export const addressDeliveries = tenantTable(
  'address_deliveries',
  {
    workspaceId: workspaceId(),
    month: date('month', { mode: 'string' }).notNull(),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
    acceptedAt: instant('accepted_at').notNull(),
    mailboxId: uuid('config_id').notNull(),
    /** The hash of `campaign_recipients`. */
    addressHash: bytea('address_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.addressHash, table.month, table.deliveryId] })],
)
