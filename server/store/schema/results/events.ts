import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, jsonb, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { EventDetail, EventKind, Verdict } from '../../../../contract/results/event.ts'
import { bytea, instant } from '../columns.ts'
import { localTable, referenceTable, tenantTable } from '../table.ts'

// Tables that take a row for each event have no foreign keys: a check costs as much as the row.

/** Events that wait to be digested. Rows leave it in the transaction that counts them. */
export const eventInbox = tenantTable(
  'event_inbox',
  {
    workspaceId: uuid('workspace_id').notNull(),
    /** Becomes `events.seq`. */
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: instant('at').notNull(),
    kind: smallint('kind').$type<EventKind>().notNull(),
    messageId: uuid('message_id'),
    deliveryMonth: date('delivery_month', { mode: 'string' }),
    deliveryId: bigint('delivery_id', { mode: 'number' }),
    /** Of a settled batch: its deliveries of `delivery_month`. */
    deliveryIds: bigint('delivery_ids', { mode: 'number' }).array(),
    contactId: bigint('contact_id', { mode: 'number' }),
    linkNo: smallint('link_no'),
    /** Key of `user_agents`. */
    agentHash: bytea('agent_hash'),
    /** Hash of the network under a key of the day. */
    netHash: bytea('net_hash'),
    /** Entry of the networks file, in the form of `networkLabelOf`. */
    netLabel: smallint('net_label'),
    /** Bits of `eventFlags`. */
    flags: smallint('flags').notNull().default(0),
    detail: jsonb('detail').$type<EventDetail>(),
    /** Why the row could not be digested; it waits for the operator's command. */
    parkedError: text('parked_error'),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.id] })],
)

/** What happened to mails and contacts. Partitioned by month of `at`: old months are dropped. */
export const events = tenantTable(
  'events',
  {
    workspaceId: uuid('workspace_id').notNull(),
    at: instant('at').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    deliveryId: bigint('delivery_id', { mode: 'number' }),
    contactId: bigint('contact_id', { mode: 'number' }),
    /** Id of the campaign, of the mailbox for mails of send calls, or of the sequence; null without a mail. */
    sourceId: uuid('source_id'),
    deliveryMonth: date('delivery_month', { mode: 'string' }),
    kind: smallint('kind').$type<EventKind>().notNull(),
    /** Null for kinds that only people or mail servers cause. */
    verdict: smallint('verdict').$type<Verdict>(),
    agentId: integer('agent_id'),
    linkNo: smallint('link_no'),
    netLabel: smallint('net_label'),
    detail: jsonb('detail').$type<EventDetail>(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.at, table.seq] }),
    // Without `at`: the events of a contact are one entry of the index, and few enough to sort.
    index('events_contact')
      .on(table.workspaceId, table.contactId)
      .where(sql`contact_id is not null`),
    index('events_delivery')
      .on(table.workspaceId, table.deliveryId)
      .where(sql`contact_id is null`),
    index('events_at').using('brin', table.at),
    // The last hour's refusals of mailboxes; few rows.
    index('events_refusals')
      .on(table.workspaceId, table.at)
      .where(sql`kind = 15`),
  ],
)

/** Opens and clicks of the last minute, for judging bursts. */
export const recentHits = tenantTable(
  'recent_hits',
  {
    workspaceId: uuid('workspace_id').notNull(),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    /** Null for an open. */
    linkNo: smallint('link_no'),
    agentId: integer('agent_id'),
    netHash: bytea('net_hash'),
    netLabel: smallint('net_label'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.deliveryId, table.seq] }),
    index('recent_hits_at').on(table.workspaceId, table.at),
  ],
)

/** User agents of hits by the first 8 bytes of their SHA-256. */
export const userAgents = referenceTable('user_agents', {
  hash: bytea('hash').primaryKey(),
  id: integer('id').notNull().generatedAlwaysAsIdentity().unique(),
  text: text('text').notNull(),
  /** Such as `Firefox`; null where unknown. */
  family: text('family'),
  os: text('os'),
  /** Verdict on clicks by this agent alone; null: decided by other facts. */
  verdict: smallint('verdict').$type<Verdict>(),
})

/** The process that digests the events of a workspace, fenced by the token. */
export const digestLeases = tenantTable('digest_leases', {
  workspaceId: uuid('workspace_id').primaryKey(),
  holder: text('holder').notNull(),
  token: uuid('token').notNull(),
  leaseUntil: instant('lease_until').notNull(),
})

/** How far the hit journal of each writer is in `event_inbox`. */
export const eventJournals = localTable('event_journals', {
  writer: text('writer').primaryKey(),
  segment: bigint('segment', { mode: 'number' }).notNull(),
  byteOffset: bigint('byte_offset', { mode: 'number' }).notNull(),
})
