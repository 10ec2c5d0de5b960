import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  behaviours,
  fieldOperators,
  findRuleFaults,
  memberStates,
  type FieldOperator,
  type FieldType,
  type MemberState,
  type RuleField,
  type SegmentRule,
} from '../../../contract/audience/segment-rule.ts'
import { eventKinds } from '../../../contract/results/event.ts'
import { createMailRows, type MailRows } from '../../../tests/support/mail-rows.ts'
import { matchesRule, type ContactFacts, type MailFact } from '../../../tests/support/matches-rule.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { FieldValue } from '../../domain/contacts/field-value.ts'
import { dayIn } from '../../domain/segments/calendar.ts'
import type { RuleContext } from '../../domain/segments/rule-context.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'
import { ruleToSql, type AddParameter } from './segment.sql.ts'
import { rulesToFactsSql } from './touched.sql.ts'

/** Ahead of UTC by an hour or two: an evening is the next day there. */
const timezone = 'Europe/Berlin'
const fieldTypes = new Map<number, FieldType>([
  [1, 'text'],
  [2, 'text'],
  [3, 'number'],
  [4, 'date'],
  [5, 'boolean'],
  [6, 'choice'],
])
const texts = ['Berlin', 'BERLIN', 'berlin', 'Köln', 'KÖLN', 'köln', '%', '_a', 'a\\b', "O'Hara", 'Ulm/Donau', '😀']
const days = ['2024-02-29', '2026-02-28', '2026-11-23', '2026-11-22', '2026-11-30', '2025-11-23', '1999-12-31']
const numbers = [0, -0, 1, -1, 0.1, 1.5, 1e15, -1e-7, 123456789.25]

let database: Database
let drop: () => Promise<void>
let workspaceId: string
let contacts: ContactFacts[]
let context: RuleContext

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  await database.pool.query('create table events_of_any_month partition of events default')
  const rows = await createMailRows(database.pool)
  workspaceId = rows.workspaceId
  ;({ contacts, context } = await addContacts(rows))
})
afterAll(async () => {
  await database.close()
  await drop()
})

/** Deterministic choice, so that a failure can be repeated. */
function createPicker(seed: number) {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32
  return {
    next,
    of: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
    maybe: <T>(value: () => T): T | null => (next() < 0.35 ? null : value()),
  }
}

/** 200 contacts with values at the edges, memberships and mails; the same facts in memory. */
async function addContacts(rows: MailRows): Promise<{ contacts: ContactFacts[]; context: RuleContext }> {
  const { pool } = database
  const pick = createPicker(7)
  const today = '2026-11-23'
  const mailboxId = await rows.addMailbox()
  const campaigns = [await rows.addCampaign('finished'), await rows.addCampaign('finished')]
  const messageId = await rows.addMessage(mailboxId, [])
  const listIds: string[] = []
  for (const name of ['News', 'Offers', 'Empty']) {
    const { rows: made } = await pool.query<{ id: number }>(
      'insert into lists (workspace_id, name, created_at) values ($1, $2, now()) returning id',
      [workspaceId, name],
    )
    listIds.push(String(made[0]?.id))
  }
  const instants = [
    '2026-11-22T23:30:00Z',
    '2026-11-22T22:30:00Z',
    '2026-11-23T12:00:00Z',
    '2026-03-29T00:59:59Z',
    '2024-02-29T10:00:00Z',
  ]
  const facts: ContactFacts[] = []
  for (let at = 0; at < 200; at++) {
    const fields: Record<number, FieldValue> = {}
    for (const [no, type] of fieldTypes) {
      const value = pick.maybe(() => valueOf(type, pick))
      if (value !== null) fields[no] = value
    }
    const email = `${pick.of(['Ada', 'bo', 'ÄRA'])}${at}@${pick.of(['Example.org', 'example.com'])}`
    const columns = {
      locale: pick.maybe(() => pick.of(['de', 'DE', 'en'])),
      timezone: pick.maybe(() => pick.of(['Europe/Berlin', 'UTC'])),
      source: pick.of(['api', 'import']),
      status: pick.of(['active', 'unsubscribed']),
    }
    const instant = (name: string) => [name, pick.maybe(() => pick.of(instants))] as const
    const times = Object.fromEntries(['last_sent_at', 'last_open_at', 'last_click_at', 'last_reply_at'].map(instant))
    const createdAt = pick.of(instants)
    const { rows: made } = await pool.query<{ id: number }>(
      `insert into contacts (workspace_id, email, email_key, status, fields, timezone, locale, source, created_at,
         updated_at, last_sent_at, last_open_at, last_click_at, last_reply_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $13) returning id`,
      [
        workspaceId,
        email,
        email.toLowerCase(),
        columns.status,
        fields,
        columns.timezone,
        columns.locale,
        columns.source,
        createdAt,
        ...Object.values(times),
      ],
    )
    const id = String(made[0]?.id)
    const lists = new Map<string, MemberState>()
    for (const list of listIds.slice(0, 2)) if (pick.next() < 0.5) lists.set(list, pick.of(memberStates))
    for (const [list, state] of lists)
      await pool.query(
        'insert into list_members (workspace_id, list_id, contact_id, state, at) values ($1, $2, $3, $4, now())',
        [workspaceId, list, id, state],
      )
    const mails: MailFact[] = []
    for (let mail = 0; mail < 4; mail++) {
      if (pick.next() < 0.5) continue
      const [campaignId, outcome, settledAt] = [
        pick.of([...campaigns, null]),
        pick.of(['sent', 'bounced'] as const),
        pick.of(instants),
      ]
      // A mail to pasted recipients names no contact: it belongs to the contact with its address.
      const [contactId, recipient] = pick.next() < 0.5 ? [id, `old${email}`] : [null, email]
      const { rows: delivered } = await pool.query<{ id: number }>(
        `insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, contact_id, recipient, state, settled_at)
         values (date_trunc('month', now() at time zone 'utc')::date, $1, $2, $3, $4, $5, $6, $7, $8) returning id`,
        [
          workspaceId,
          messageId,
          mailboxId,
          campaignId,
          contactId,
          recipient,
          outcome === 'sent' ? 'sent' : 'failed',
          settledAt,
        ],
      )
      const mailId = String(delivered[0]?.id)
      const act = outcome === 'sent' ? 'was_sent' : outcome
      mails.push({ mail: mailId, campaignId, act, day: dayIn(timezone, new Date(settledAt)) })
      const sourceId = campaignId ?? mailboxId
      const acted = recorded.filter(() => pick.next() < 0.4).map((name) => ({ name, at: pick.of(instants) }))
      await addActs({ contactId: id, mailId, sourceId, acted, machine: pick.maybe(() => pick.of(instants)) })
      for (const { name, at: time } of acted)
        mails.push({ mail: mailId, campaignId, act: name, day: dayIn(timezone, new Date(time)) })
    }
    const unsubscribed = pick.maybe(() => ({ campaignId: pick.of([...campaigns, null]), at: pick.of(instants) }))
    if (unsubscribed)
      await pool.query(
        `insert into suppressions (workspace_id, id, email, reason, campaign_id, created_at)
         values ($1, gen_random_uuid(), $2, 'unsubscribed', $3, $4)`,
        [workspaceId, email.toLowerCase(), unsubscribed.campaignId, unsubscribed.at],
      )
    const dayOf = (value: string | null) => (value === null ? null : dayIn(timezone, new Date(value)))
    facts.push({
      id,
      columns: {
        email,
        ...columns,
        created_at: dayOf(createdAt),
        ...Object.fromEntries(Object.entries(times).map(([name, value]) => [name, dayOf(value)])),
      },
      fields,
      lists,
      mails,
      unsubscribed: unsubscribed && {
        campaignId: unsubscribed.campaignId,
        day: dayIn(timezone, new Date(unsubscribed.at)),
      },
    })
  }
  const segments = new Map<string, SegmentRule>([
    ['1', { field: 1, op: 'is', value: 'berlin' }],
    [
      '2',
      {
        all: [
          { segment: '1', op: 'not_member_of' },
          { field: 3, op: 'is_set' },
        ],
      },
    ],
  ])
  return { contacts: facts, context: { today, fieldTypes, lists: new Set(listIds), segments, campaigns } }
}

const recorded = ['opened', 'clicked', 'replied', 'bounced', 'complained'] as const

/** What became of a mail, as a digest leaves it; `machine`: when a machine opened and clicked it too. */
async function addActs({
  contactId,
  mailId,
  sourceId,
  acted,
  machine,
}: {
  contactId: string
  mailId: string
  sourceId: string
  acted: readonly { name: (typeof recorded)[number]; at: string }[]
  machine: string | null
}): Promise<void> {
  const month = '2026-11-01'
  const times = Object.fromEntries(acted.map(({ name, at }) => [name, at]))
  await database.pool.query(
    `insert into engagements (workspace_id, source_id, delivery_id, delivery_month, contact_id, first_open_at,
       first_click_at, replied_at, bounced_at, complained_at, first_machine_open_at, first_machine_click_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
    [
      workspaceId,
      sourceId,
      mailId,
      month,
      contactId,
      ...['opened', 'clicked', 'replied', 'bounced', 'complained'].map((name) => times[name] ?? null),
      machine,
    ],
  )
  const events = [
    ...acted.map(({ name, at }) => ({ at, kind: eventKinds[name], verdict: name.endsWith('ed') ? 1 : null })),
    ...(machine === null
      ? []
      : [eventKinds.opened, eventKinds.clicked].map((kind) => ({ at: machine, kind, verdict: 3 }))),
  ]
  for (const [at, event] of events.entries())
    await database.pool.query(
      `insert into events (workspace_id, at, seq, delivery_id, contact_id, source_id, delivery_month, kind, verdict)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [workspaceId, event.at, Number(mailId) * 10 + at, mailId, contactId, sourceId, month, event.kind, event.verdict],
    )
}

function valueOf(type: FieldType, pick: ReturnType<typeof createPicker>): FieldValue {
  if (type === 'number') return pick.of(numbers)
  if (type === 'boolean') return pick.next() < 0.5
  return pick.of(type === 'date' ? days : texts)
}

/** Any rule that the contract accepts, deleted fields, lists and segments included. */
function anyRule(): fc.Arbitrary<SegmentRule> {
  const types: readonly (readonly [RuleField, FieldType])[] = [
    ...fieldTypes,
    [9, 'text'],
    ['email', 'text'],
    ['status', 'text'],
    ['source', 'text'],
    ['locale', 'text'],
    ['timezone', 'text'],
    ['created_at', 'date'],
    ['last_sent_at', 'date'],
    ['last_open_at', 'date'],
    ['last_click_at', 'date'],
    ['last_reply_at', 'date'],
  ]
  const field = fc.constantFrom(...types).chain(([name, type]) =>
    fc.constantFrom<FieldOperator>(...fieldOperators[type]).chain((op) => {
      const value = operand(op, type)
      return value === null ? fc.constant({ field: name, op }) : value.map((of) => ({ field: name, op, value: of }))
    }),
  )
  const membership = fc.constantFrom('member_of', 'not_member_of' as const)
  const list = fc.record({
    list: fc.constantFrom('1', '2', '3', '99'),
    op: membership,
    state: fc.constantFrom(...memberStates),
  })
  const segment = fc.record({ segment: fc.constantFrom('1', '2', '99'), op: membership })
  const source = fc
    .nat(2)
    .map((at) => (at === 0 ? 'any' : at === 1 ? { last: 1 } : { campaigns: context.campaigns.slice(1) }))
  const behaviour = fc.record(
    {
      behaviour: fc.constantFrom(...behaviours),
      source,
      within_days: fc.constantFrom(0, 1, 7, 36_500),
      times: fc.integer({ min: 1, max: 3 }),
    },
    { requiredKeys: ['behaviour'] },
  )
  const leaf = fc.oneof({ weight: 6, arbitrary: field }, list, segment, behaviour) as fc.Arbitrary<SegmentRule>
  return fc.letrec<{ rule: SegmentRule }>((tie) => ({
    rule: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie('rule'), { maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie('rule'), { maxLength: 3 }).map((any) => ({ any })),
      tie('rule').map((not) => ({ not })),
    ),
  })).rule
}

function operand(op: FieldOperator, type: FieldType): fc.Arbitrary<unknown> | null {
  if (['is_set', 'is_not_set', 'is_true', 'is_false'].includes(op)) return null
  if (op.endsWith('_days')) return fc.constantFrom(0, 1, 7, 30, 365, 36_500)
  const values: fc.Arbitrary<string | number> =
    type === 'number'
      ? fc.constantFrom(...numbers)
      : type === 'date'
        ? fc.constantFrom(...days)
        : fc.constantFrom(...texts, 'ber', 'lin', 'ada', '@EXAMPLE', 'active', 'de', 'UTC')
  if (op === 'is_one_of') return fc.array(values, { minLength: 1, maxLength: 3 })
  return op === 'between' ? fc.tuple(values, values) : values
}

/** Ids of the contacts that a rule matches, by the database. */
async function matchedBySql(rule: SegmentRule): Promise<string[]> {
  const sql = ruleToSql(rule, context, { workspaceId, timezone })
  const { rows } = await database.pool.query<{ id: number }>(
    `${sql.with === '' ? '' : `with ${sql.with}`}
     select c.id from contacts c where c.workspace_id = $1 and $2::text is not null and ${sql.where} order by c.id`,
    sql.values,
  )
  return rows.map(({ id }) => String(id))
}

/** Rules that are compared with one statement on facts. */
const factRulesCount = 4

/** Ids of the contacts that each of these rules matches, by the facts of all contacts, which are gathered once. */
async function matchedByFacts(rules: readonly SegmentRule[]): Promise<string[][]> {
  const values: unknown[] = [workspaceId, timezone]
  const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`
  const ids = add(
    contacts.map(({ id }) => id),
    'bigint[]',
  )
  const chosen = `select c.* from contacts c where c.workspace_id = $1 and c.id = any(${ids}) and $2::text is not null`
  const facts = rulesToFactsSql(rules, context, add, chosen)
  const columns = facts.conditions.map(
    (condition) => `coalesce(array_agg(c.id::text order by c.id) filter (where ${condition}), '{}')`,
  )
  const { rows } = await database.pool.query<{ matched: string[] }>(
    `with ${facts.with} select unnest(array[${columns.map((column) => `to_jsonb(${column})`).join(', ')}]) as matched from facts c`,
    values,
  )
  return rows.map(({ matched }) => matched)
}

describe('the SQL of a rule', () => {
  it('matches the same contacts as the evaluators in memory and of touched contacts, for 10,000 random rules', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRule(), { minLength: factRulesCount, maxLength: factRulesCount }), async (rules) => {
        const expected = rules.map((rule) => {
          expect(findRuleFaults(rule)).toEqual([])
          return contacts.filter((contact) => matchesRule(rule, contact, context)).map(({ id }) => id)
        })
        expect(await matchedByFacts(rules)).toEqual(expected)
        for (const [at, rule] of rules.entries()) expect(await matchedBySql(rule)).toEqual(expected[at])
      }),
      { numRuns: Number(process.env['RULE_RUNS'] ?? 10_000) / factRulesCount },
    )
  }, 300_000)

  it('SEGMENTS-12 counts a contact without a value only for is_not and not_member_of', async () => {
    const without = contacts.filter(({ fields }) => fields[1] === undefined).map(({ id }) => id)
    const matched = async (rule: SegmentRule) => (await matchedBySql(rule)).filter((id) => without.includes(id))
    for (const op of ['is', 'contains', 'starts_with'] as const)
      expect(await matched({ field: 1, op, value: 'b' }), op).toEqual([])
    expect(await matched({ field: 1, op: 'is_not', value: 'b' })).toEqual(without)
    expect(await matched({ list: '99', op: 'not_member_of' })).toEqual([])
  })

  it('keeps the contacts of other workspaces out', async () => {
    const other = randomUUID()
    await database.pool.query('insert into workspaces (id, name) values ($1, $2)', [other, 'Other'])
    const sql = ruleToSql({ all: [] }, context, { workspaceId: other, timezone })
    const { rows } = await database.pool.query(
      `select from contacts c where c.workspace_id = $1 and $2::text is not null and ${sql.where}`,
      sql.values,
    )
    expect(rows).toEqual([])
  })
})
