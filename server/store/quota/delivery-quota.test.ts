import { scopeOf, systemScope } from '../../../tests/support/scope.ts'
import type { DeliveryQueue } from '../../../tests/support/test-sender.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, emptyTables, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { Claim, ClaimResult, Quota, DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'
import { createDeliveryQueue } from '../messages/delivery-queue.ts'
import { createMailboxQuota } from './mailbox-quota.ts'
import { bindScope } from '../../domain/auth/scope.ts'

let database: Database
/** The connections of another process. */
let elsewhere: Database
let drop: () => Promise<void>
let queue: DeliveryQueue
let rows: MailRows

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  elsewhere = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  queue = bindScope(createDeliveryQueue(database.pool), systemScope)
})

afterAll(async () => {
  await database.close()
  await elsewhere.close()
  await drop()
})

beforeEach(async () => {
  await emptyTables(database.pool)
  rows = await createMailRows(database.pool)
})

const people = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)
const claim = (mailboxId: string, limits: Quota, limit = 1000): Claim => ({
  workspaceId: rows.workspaceId,
  mailboxId,
  owner: randomUUID(),
  token: randomUUID(),
  limit,
  limits,
  isLimited: true,
})
const perMinute = (perMinuteCount: number): Quota => ({ perMinuteCount, perDayCount: null })
const perDay = (perDayCount: number): Quota => ({ perMinuteCount: null, perDayCount })

function settled(
  { rows: claimed }: ClaimResult,
  { token }: Claim,
  given: Partial<DeliveryOutcome> = {},
): DeliveryOutcome[] {
  return claimed.map(({ workspaceId, month, id }) => ({
    workspaceId,
    month,
    id,
    token,
    state: 'sent',
    reply: '250 OK',
    isAttempt: true,
    isCounted: true,
    delayMs: 0,
    ...given,
  }))
}

/** Use of the quota in the dashboard. */
const usage = async () =>
  (await createMailboxQuota(database.pool).list(scopeOf(rows.workspaceId), { limit: 100, offset: 0 })).rows

/** Shifts the buckets into the past. */
const age = (seconds: number) =>
  database.pool.query(`update mailbox_usage set bucket_at = bucket_at - make_interval(secs => $1)`, [seconds])

describe('a quota', () => {
  it('that the claim does not know allows nothing at first, and is reported', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(5))
    const unaware = { ...claim(mailboxId, perMinute(3)), isLimited: false }
    expect(await queue.writeOutcomesAndClaim([], unaware)).toMatchObject({ rows: [], isLimited: true })
    expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(3)))).rows).toHaveLength(3)
  })

  it('is estimated as it is counted: mails being sent count, once', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(3))
    const limited = claim(mailboxId, perDay(2))
    const used = async () => {
      const [use] = await createMailboxQuota(database.pool).read(rows.scope, [mailboxId], [])
      const count = use?.used.reduce((sum, bucket) => sum + bucket.count, 0)
      return { used: count, waiting: use?.waiting.map((waiting) => waiting.count) }
    }
    expect(await used()).toEqual({ used: 0, waiting: [3] })
    const claimed = await queue.writeOutcomesAndClaim([], limited)
    expect(await used()).toEqual({ used: 2, waiting: [1] })
    await queue.writeOutcomesAndClaim(settled(claimed, limited), claim(mailboxId, perDay(2)))
    expect(await used()).toEqual({ used: 2, waiting: [1] })
  })

  it.each([
    ['minute', perMinute(5), 61],
    ['day', perDay(5), 24 * 3600 + 300],
  ])('per %s allows its count within every such window, and reports the wait', async (_, limits, seconds) => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(20))
    const first = claim(mailboxId, limits)
    const given = await queue.writeOutcomesAndClaim([], first)
    expect(given.rows).toHaveLength(5)
    // Mails being sent count as sent.
    expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, limits))).rows).toEqual([])
    expect((await queue.writeOutcomesAndClaim(settled(given, first), claim(mailboxId, limits))).rows).toEqual([])
    const after = await queue.writeOutcomesAndClaim([], claim(mailboxId, limits))
    expect(after.rows).toEqual([])
    expect(after.waitMs).toBeGreaterThan((seconds - 302) * 1000)
    expect(after.waitMs).toBeGreaterThan(0)
    expect(after.waitMs).toBeLessThanOrEqual(seconds * 1000)
    await age(seconds - (seconds === 61 ? 2 : 301))
    expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, limits))).rows).toEqual([])
    await age(seconds === 61 ? 2 : 301)
    expect(await queue.writeOutcomesAndClaim([], claim(mailboxId, limits))).toMatchObject({ waitMs: null })
    expect(await rows.states()).toEqual({ sent: 5, sending: 5, queued: 10 })
  })

  it('counts every attempt at the mail server, accepted or not, and nothing else', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(10))
    const first = claim(mailboxId, perMinute(4))
    const given = await queue.writeOutcomesAndClaim([], first)
    const [refused, unknown, back, suppressed] = settled(given, first) as [
      DeliveryOutcome,
      DeliveryOutcome,
      DeliveryOutcome,
      DeliveryOutcome,
    ]
    const settlements: DeliveryOutcome[] = [
      { ...refused, state: 'failed' },
      { ...unknown, state: 'unknown' },
      { ...back, state: 'queued', isAttempt: false, isCounted: false },
      { ...suppressed, state: 'suppressed', isAttempt: false, isCounted: false },
    ]
    await queue.writeOutcomes(settlements)
    // A repeated outcome is not counted again.
    await queue.writeOutcomes(settlements)
    expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(4)))).rows).toHaveLength(2)
    expect(await usage()).toMatchObject([{ id: mailboxId, minuteCount: 4, dayCount: 4 }])
  })

  it('of the mailbox overrides the provider’s limit', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(10))
    await database.pool.query('update email_configs set limit_per_minute = 2, limit_per_day = 7 where id = $1', [
      mailboxId,
    ])
    expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(9)))).rows).toHaveLength(2)
    await database.pool.query('update email_configs set limit_per_minute = 100 where id = $1', [mailboxId])
    expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(9)))).rows).toHaveLength(5)
  })

  it('is counted for each mailbox', async () => {
    const [one, other] = [await rows.addMailbox(), await rows.addMailbox()]
    for (const mailboxId of [one, other]) await rows.addMessage(mailboxId, people(5))
    for (const mailboxId of [one, other]) {
      expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(3)))).rows).toHaveLength(3)
    }
  })

  it('is never exceeded while many processes compete for it, and is used up to the last mail', async () => {
    const quota = 40
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(300))
    const queues = [queue, bindScope(createDeliveryQueue(elsewhere.pool), systemScope)]
    let sentCount = 0
    const race = async (mine: DeliveryQueue) => {
      let settlements: DeliveryOutcome[] = []
      for (let turn = 0; turn < 25; turn++) {
        const given = claim(mailboxId, perMinute(quota), 3)
        const exchange = await mine.writeOutcomesAndClaim(settlements, given)
        sentCount += exchange.rows.length
        settlements = settled(exchange, given)
      }
      await mine.writeOutcomes(settlements)
    }
    await Promise.all(Array.from({ length: 8 }, (_, at) => race(queues[at % 2] ?? queue)))
    // A claim of a locked mailbox gets nothing: the last claim takes the rest.
    const last = claim(mailboxId, perMinute(quota))
    const exchange = await queue.writeOutcomesAndClaim([], last)
    await queue.writeOutcomes(settled(exchange, last))
    expect(sentCount).toBeLessThanOrEqual(quota)
    expect(sentCount + exchange.rows.length).toBe(quota)
    expect(await rows.states()).toEqual({ sent: quota, queued: 300 - quota })
  })

  it('does not block a claim that another process has locked: it is retried soon', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(3))
    const client = await elsewhere.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from email_configs where id = $1 for no key update', [mailboxId])
      const exchange = await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(3)))
      expect(exchange).toMatchObject({ rows: [], isLimited: true })
      expect(exchange.waitMs).toBeLessThan(1000)
      await client.query('rollback')
    } finally {
      client.release()
    }
    expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(3)))).rows).toHaveLength(3)
  })

  it('of zero or less allows nothing', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(3))
    for (const count of [0, -5]) {
      expect((await queue.writeOutcomesAndClaim([], claim(mailboxId, perMinute(count)))).rows).toEqual([])
    }
  })

  it('deletes buckets that no longer count', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(1))
    const first = claim(mailboxId, perDay(5))
    await queue.writeOutcomes(settled(await queue.writeOutcomesAndClaim([], first), first))
    const quota = createMailboxQuota(database.pool)
    await age(700)
    await quota.prune(systemScope)
    expect(await usage()).toMatchObject([{ id: mailboxId, minuteCount: 0, dayCount: 1 }])
    await age(3 * 24 * 3600)
    await quota.prune(systemScope)
    const { rows: left } = await database.pool.query('select from mailbox_usage')
    expect(left).toHaveLength(0)
  })
})
