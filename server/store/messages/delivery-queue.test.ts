import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, emptyTables, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { CampaignStatus } from '../../domain/campaigns/campaign.ts'
import type { Claim, ClaimedDelivery, DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import type { DeliveryQueue } from '../../../tests/support/test-sender.ts'
import { bindScope } from '../../domain/auth/scope.ts'

let database: Database
let drop: () => Promise<void>
let queue: DeliveryQueue
let rows: MailRows

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  queue = bindScope(createDeliveryQueue(database.pool), systemScope)
})

afterAll(async () => {
  await database.close()
  await drop()
})

beforeEach(async () => {
  await emptyTables(database.pool)
  rows = await createMailRows(database.pool)
})

const people = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)
const noLimits = { perMinuteCount: null, perDayCount: null }
const claim = (mailboxId: string, given: Partial<Claim> = {}): Claim => ({
  workspaceId: rows.workspaceId,
  mailboxId,
  owner: randomUUID(),
  token: randomUUID(),
  limit: 100,
  limits: noLimits,
  isLimited: false,
  ...given,
})
const listDue = async () => (await queue.listDueMailboxes()).map(({ mailboxId }) => mailboxId)
/** Claims rows and returns them. */
const take = async (given: Claim) => (await queue.writeOutcomesAndClaim([], given)).rows

const settlement = (
  { workspaceId, month, id }: ClaimedDelivery,
  token: string,
  state: DeliveryOutcome['state'],
  given: Partial<DeliveryOutcome> = {},
): DeliveryOutcome => ({
  workspaceId,
  month,
  id,
  token,
  state,
  reply: '250 OK',
  isAttempt: true,
  isCounted: true,
  delayMs: 0,
  ...given,
})

describe('claiming', () => {
  it('returns the oldest due rows of one mailbox, with what is needed to send them', async () => {
    const [mailboxId, other] = [await rows.addMailbox(), await rows.addMailbox()]
    await rows.addMessage(other, people(3))
    const messageId = await rows.addMessage(mailboxId, people(5))
    const claimed = await take(claim(mailboxId, { limit: 3 }))
    expect(claimed.map(({ recipient }) => recipient)).toEqual(people(3))
    expect(claimed[0]).toMatchObject({ messageId, mailboxId, attempts: 0, context: null })
    expect(claimed[0]?.month).toMatch(/^\d{4}-\d\d-01$/)
    expect(await rows.states()).toEqual({ queued: 5, sending: 3 })
  })

  it('returns nothing for a paused, deleted or unknown mailbox', async () => {
    const [paused, deleted] = [await rows.addMailbox(), await rows.addMailbox()]
    await rows.addMessage(paused, people(1))
    await rows.addMessage(deleted, people(1))
    await rows.pause(paused, 'No', null)
    await rows.remove(deleted)
    for (const mailboxId of [paused, deleted, randomUUID()]) expect(await take(claim(mailboxId))).toEqual([])
  })

  it('returns deliveries of a campaign only while it is sending, after single sends', async () => {
    const mailboxId = await rows.addMailbox()
    const campaigns = new Map<CampaignStatus, string>()
    for (const status of ['draft', 'scheduled', 'sending', 'paused', 'finished', 'cancelled', 'failed'] as const) {
      const campaignId = await rows.addCampaign(status)
      campaigns.set(status, campaignId)
      await rows.addMessage(mailboxId, people(3), { campaignId })
    }
    await rows.addMessage(mailboxId, people(2))
    const first = await take(claim(mailboxId, { limit: 4 }))
    const sending = campaigns.get('sending') ?? ''
    const count = (claimed: ClaimedDelivery[], id: string | null) =>
      claimed.filter(({ campaignId }) => campaignId === id).length
    expect([count(first, null), count(first, sending)]).toEqual([2, 2])
    expect((await take(claim(mailboxId))).map(({ campaignId }) => campaignId)).toEqual([sending])
    expect(await take(claim(mailboxId))).toEqual([])
    expect(await listDue()).toEqual([])
    await rows.setCampaign(campaigns.get('paused') ?? '', 'sending')
    expect(await listDue()).toEqual([mailboxId])
    expect(await take(claim(mailboxId))).toHaveLength(3)
  })

  it('alternates between the campaigns of a mailbox', async () => {
    const mailboxId = await rows.addMailbox()
    for (let at = 0; at < 2; at++) {
      await rows.addMessage(mailboxId, people(40), { campaignId: await rows.addCampaign('sending') })
    }
    const claimed = []
    for (let at = 0; at < 30; at++) claimed.push(...(await take(claim(mailboxId, { limit: 1 }))))
    const counts = [...Map.groupBy(claimed, ({ campaignId }) => campaignId).values()].map((group) => group.length)
    // In sequence it would be 30 and 0; at random, fewer than 3 of 30 occurs once in a million runs.
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3)
    expect(counts).toHaveLength(2)
  })

  it('leaves deferred rows until they are due', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(1))
    const token = randomUUID()
    const [row] = await take(claim(mailboxId, { token }))
    await queue.writeOutcomes([settlement(row!, token, 'deferred', { reply: '450 Busy', delayMs: 60_000 })])
    expect(await take(claim(mailboxId))).toEqual([])
    await database.pool.query(`update deliveries set next_attempt_at = now() - interval '1 second'`)
    expect(await take(claim(mailboxId))).toMatchObject([{ attempts: 1 }])
  })

  it('never gives a row to two concurrent claims', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(400))
    const claims = await Promise.all(Array.from({ length: 40 }, () => take(claim(mailboxId, { limit: 15 }))))
    const ids = claims.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect((await rows.states()).sending).toBe(ids.length)
  })
})

describe('the cost of a claim', () => {
  const waitingCount = 20_000
  // An analysis while rows are being written would say that there are none.
  beforeAll(async () => {
    await database.pool.query(`do $$ declare part regclass; begin
      for part in select inhrelid::regclass from pg_inherits where inhparent = 'deliveries'::regclass
      loop execute format('alter table %s set (autovacuum_enabled = false)', part); end loop; end $$`)
  })

  it.each([
    ['single sends', false, 'before the table was analyzed'],
    ['single sends', true, 'after it was'],
    ['a campaign', false, 'before the table was analyzed'],
    ['a campaign', true, 'after it was'],
  ])('does not depend on the length of the queue: %s, %s %s', async (kind, isAnalyzed) => {
    const mailboxId = await rows.addMailbox()
    const campaignId = kind === 'a campaign' ? await rows.addCampaign('sending') : null
    await rows.addMessage(mailboxId, people(waitingCount), { campaignId })
    if (isAnalyzed) await database.pool.query('analyze deliveries')
    const first = claim(mailboxId, { limit: 10 })
    const claimed = await take(first)
    const settlements = claimed.map((row) => settlement(row, first.token, 'sent'))
    expect(claimed).toHaveLength(10)
    expect(await rowsReadBy(settlements, claim(mailboxId, { limit: 10 }))).toBeLessThan(100)
  })

  interface PlanNode {
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    Plans?: PlanNode[]
  }

  /** The largest number of rows that a step of the plan read, from EXPLAIN ANALYZE. */
  async function rowsReadBy(settlements: readonly DeliveryOutcome[], given: Claim): Promise<number> {
    let plan: PlanNode | undefined
    const explain = async ({ text, values }: { text: string; values: unknown[] }) => {
      const { rows: lines } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      )
      plan = lines[0]?.['QUERY PLAN'][0].Plan
      return { rows: [{ messageIds: [], isLimited: false, waitMs: null }] }
    }
    await bindScope(createDeliveryQueue({ query: explain } as unknown as Pool), systemScope).writeOutcomesAndClaim(
      settlements,
      given,
    )
    const most = (node: PlanNode): number =>
      Math.max(
        node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
        ...(node.Plans ?? []).map(most),
      )
    return plan ? most(plan) : Number.NaN
  }
})

describe('writing outcomes', () => {
  it('stores the reply, counts the attempt and returns the changed messages', async () => {
    const mailboxId = await rows.addMailbox()
    const messageId = await rows.addMessage(mailboxId, people(5))
    const token = randomUUID()
    const claimed = await take(claim(mailboxId, { token }))
    const states = ['sent', 'failed', 'unknown', 'deferred', 'queued'] as const
    const settlements = states.map((state, at) =>
      settlement(claimed[at]!, token, state, {
        reply: state === 'queued' ? null : `${state} reply`,
        isAttempt: state !== 'queued',
        delayMs: state === 'deferred' ? 60_000 : 0,
      }),
    )
    expect(await queue.writeOutcomes(settlements)).toEqual([messageId])
    const facts = await rows.deliveries()
    expect(facts.map(({ state, reply, attempts }) => [state, reply, attempts])).toEqual([
      ['sent', 'sent reply', 1],
      ['failed', 'failed reply', 1],
      ['unknown', 'unknown reply', 1],
      ['deferred', 'deferred reply', 1],
      ['queued', null, 0],
    ])
    expect(facts.map(({ settledAt }) => settledAt !== null)).toEqual([true, true, true, false, false])
    expect(facts.every(({ leaseOwner }) => leaseOwner === null)).toBe(true)
    expect(facts[3]?.dueInMs).toBeGreaterThan(50_000)
    expect(facts[4]?.dueInMs).toBeLessThan(1000)
  })

  it('ignores a row with another claim, and is idempotent', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(1))
    const [first, second] = [randomUUID(), randomUUID()]
    const [row] = await take(claim(mailboxId, { token: first }))
    await queue.writeOutcomes([settlement(row!, first, 'queued', { isAttempt: false })])
    await take(claim(mailboxId, { token: second }))
    expect(await queue.writeOutcomes([settlement(row!, first, 'failed')])).toEqual([])
    expect(await queue.writeOutcomes([settlement(row!, second, 'sent')])).toHaveLength(1)
    expect(await queue.writeOutcomes([settlement(row!, second, 'failed')])).toEqual([])
    expect(await rows.deliveries()).toMatchObject([{ state: 'sent', attempts: 1 }])
  })
})

describe('mailboxes with due deliveries', () => {
  it('are active and have a due row', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => rows.addMailbox()))
    const [due, deferred, paused, deleted, done] = ids as [string, string, string, string, string]
    for (const mailboxId of [due, deferred, paused, deleted, done]) await rows.addMessage(mailboxId, people(3))
    await database.pool.query(
      `update deliveries set state = 'deferred', next_attempt_at = now() + interval '1 hour' where config_id = $1`,
      [deferred],
    )
    await database.pool.query(`update deliveries set state = 'sent' where config_id = $1`, [done])
    await rows.pause(paused, 'No', null)
    await rows.remove(deleted)
    expect(await listDue()).toEqual([due])
  })

  it('are found across partitions', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(1))
    await database.pool.query(`update deliveries set month = month - interval '1 month'`)
    expect(await listDue()).toEqual([mailboxId])
    expect(await take(claim(mailboxId))).toHaveLength(1)
  })

  it('include those whose pause has just ended, which become active', async () => {
    const [over, still] = [await rows.addMailbox(), await rows.addMailbox()]
    for (const mailboxId of [over, still]) await rows.addMessage(mailboxId, people(1))
    await rows.pause(over, 'Limit', -1000)
    await rows.pause(still, 'Limit', 60_000)
    expect(await take(claim(over))).toEqual([])
    expect(await listDue()).toEqual([over])
    expect(await take(claim(over))).toHaveLength(1)
    expect(await listDue()).toEqual([])
  })

  it('are none in an empty queue', async () => {
    expect(await listDue()).toEqual([])
  })
})

describe('leases', () => {
  it('are listed by owner', async () => {
    const mailboxId = await rows.addMailbox()
    const messageId = await rows.addMessage(mailboxId, people(4))
    const [mine, other] = [claim(mailboxId, { limit: 2 }), claim(mailboxId, { limit: 2 })]
    const claimed = await take(mine)
    await take(other)
    expect(await queue.listLeased(mine.owner)).toEqual(
      claimed.map(({ workspaceId, month, id, recipient }) => ({
        workspaceId,
        month,
        id,
        messageId,
        mailboxId,
        recipient,
        token: mine.token,
        attempts: 0,
      })),
    )
  })

  it('that their owner does not know return to the queue, except a concurrent one', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(4))
    const owner = randomUUID()
    const [known, lost, late, stranger] = [
      claim(mailboxId, { owner, limit: 1 }),
      claim(mailboxId, { owner, limit: 1 }),
      claim(mailboxId, { owner, limit: 1 }),
      claim(mailboxId, { limit: 1 }),
    ]
    for (const one of [known, lost, stranger]) await take(one)
    let claiming: Promise<unknown> = Promise.resolve()
    const released = await queue.releaseLost([owner], () => {
      claiming = take(late)
      return [known.token]
    })
    await claiming
    expect(released).toBe(1)
    const { rows: held } = await database.pool.query<{ token: string }>(
      `select lease_token as token from deliveries where state = 'sending'`,
    )
    expect(held.map(({ token }) => token).sort()).toEqual([known.token, late.token, stranger.token].sort())
  })

  it('of a process that does not return become unknown after a day, not before', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(2))
    await take(claim(mailboxId, { limit: 1 }))
    await database.pool.query(`update deliveries set leased_at = now() - interval '25 hours' where state = 'sending'`)
    await take(claim(mailboxId, { limit: 1 }))
    expect(await queue.expireLeases(24)).toBe(1)
    expect(await rows.states()).toEqual({ unknown: 1, sending: 1 })
  })
})
