import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { createMailRows, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'
import { createDeliveryQueue } from '../messages/delivery-queue.ts'
import { createDeliveryStore } from '../messages/delivery.ts'
import { createStatisticsStore } from './statistics.ts'
import { scopeOf, systemScope } from '../../../tests/support/scope.ts'
import { bindScope } from '../../domain/auth/scope.ts'

let database: Database
let drop: () => Promise<void>
let rows: MailRows
beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
})
afterAll(async () => {
  await database.close()
  await drop()
})
beforeEach(async () => {
  rows = await createMailRows(database.pool)
})

const timezone = 'Asia/Kathmandu'
const count = (mine = rows) => createStatisticsStore(database.pool).countByDay(scopeOf(mine.workspaceId), 30, timezone)
const gather = () => createStatisticsStore(database.pool).gather(systemScope)

/** The same counts from the deliveries themselves, without empty days. */
async function countRows(mine = rows) {
  const { rows: days } = await database.pool.query(
    `select to_char((coalesce(settled_at, created_at) at time zone $2)::date, 'YYYY-MM-DD') as day,
       count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state = 'failed')::int as failed,
       count(*) filter (where state in ('queued', 'sending', 'deferred'))::int as waiting
     from deliveries where workspace_id = $1 and state in ('sent', 'failed', 'queued', 'sending', 'deferred')
     group by 1 order by 1`,
    [mine.workspaceId, timezone],
  )
  return days
}

const counted = async (mine = rows) =>
  (await count(mine))
    .filter(({ sent, failed, waiting }) => sent !== 0 || failed !== 0 || waiting !== 0)
    .map(({ day, sent, failed, waiting }) => ({ day, sent, failed, waiting }))

/** Claims due rows and writes these outcomes in turn. */
async function send(mailboxId: string, states: readonly DeliveryOutcome['state'][]): Promise<void> {
  const queue = bindScope(createDeliveryQueue(database.pool), systemScope)
  const limits = { perMinuteCount: null, perDayCount: null }
  const { workspaceId } = rows
  const claim = {
    workspaceId,
    mailboxId,
    owner: randomUUID(),
    token: randomUUID(),
    limit: 1000,
    limits,
    isLimited: false,
  }
  const taken = await queue.writeOutcomesAndClaim([], claim)
  const settled = { workspaceId, token: claim.token, reply: null, isAttempt: true, isCounted: true, delayMs: 0 }
  await queue.writeOutcomes(
    taken.rows.map(({ month, id }, at) => ({ ...settled, month, id, state: states[at % states.length] ?? 'sent' })),
  )
}

const people = (total: number) => Array.from({ length: total }, (_one, at) => `person${at}@example.com`)

describe('counts by day', () => {
  it('equal the counts of the rows after every change of deliveries, gathered or not', async () => {
    const { pool } = database
    const deliveries = createDeliveryStore(pool)
    const mailboxId = await rows.addMailbox()
    const id = await rows.addMessage(mailboxId, people(50))
    // Some were accepted days ago: an outcome of today moves them to today.
    await pool.query(
      `update deliveries set created_at = now() - (id % 5) * interval '31 hours' where workspace_id = $1`,
      [rows.workspaceId],
    )
    const steps = [
      () => send(mailboxId, ['sent', 'failed', 'deferred', 'unknown', 'suppressed']),
      () => pool.query(`update deliveries set settled_at = settled_at - interval '2 days' where state = 'failed'`),
      () => deliveries.requeueFailed(rows.scope, id),
      () => send(mailboxId, ['sent', 'queued']),
      () => rows.addMessage(mailboxId, people(7)),
      () => rows.remove(mailboxId).then(() => bindScope(createDeliveryQueue(pool), systemScope).cancelOrphans()),
      () =>
        pool.query(`delete from deliveries where workspace_id = $1 and state = 'sent' and id % 2 = 0`, [
          rows.workspaceId,
        ]),
    ]
    expect(await counted()).toEqual(await countRows())
    for (const step of steps) {
      const before = await counted()
      await step()
      expect(await counted()).toEqual(await countRows())
      expect(await counted()).not.toEqual(before)
      await gather()
      expect(await counted()).toEqual(await countRows())
    }
  })

  it('are correct for each workspace while two processes gather and others send', async () => {
    const all = [rows, await createMailRows(database.pool), await createMailRows(database.pool)]
    const mailboxes = await Promise.all(all.map((mine) => mine.addMailbox()))
    const work = all.map(async (mine, at) => {
      const mailboxId = mailboxes[at] ?? ''
      for (let round = 0; round < 8; round++) {
        await mine.addMessage(mailboxId, people(20))
        await send(mailboxId, ['sent', 'failed', 'deferred'])
      }
    })
    let isOver = false
    const gathering = [1, 2].map(async () => {
      while (!isOver) await gather()
    })
    await Promise.all(work)
    isOver = true
    await Promise.all(gathering)
    for (const mine of all) expect(await counted(mine)).toEqual(await countRows(mine))
    await gather()
    expect((await database.pool.query('select from delivery_count_changes')).rowCount).toBe(0)
    for (const mine of all) expect(await counted(mine)).toEqual(await countRows(mine))
  })

  it('omit the recipients of a draft until it is launched', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(2))
    const campaignId = await rows.addCampaign('draft')
    await rows.addMessage(mailboxId, people(30), { campaignId })
    const waiting = async () => (await counted()).map((day) => day.waiting)
    expect(await waiting()).toEqual([2])
    await gather()
    expect(await waiting()).toEqual([2])
    await rows.setCampaign(campaignId, 'scheduled')
    expect(await waiting()).toEqual([32])
  })

  it('omit changes that were rolled back', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(3))
    const before = await count()
    const client = await database.pool.connect()
    await client.query(
      `begin; update deliveries set state = 'cancelled' where workspace_id = '${rows.workspaceId}'; rollback`,
    )
    client.release()
    expect(await count()).toEqual(before)
  })

  it('are zero on days without mail, and are deleted when they are too old to be requested', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(3))
    await database.pool.query(
      `update deliveries set created_at = now() - interval '120 days' where workspace_id = $1 and id % 3 = 0`,
      [rows.workspaceId],
    )
    await gather()
    const before = await count()
    expect(before).toHaveLength(30)
    await createStatisticsStore(database.pool).prune(systemScope)
    expect(await count()).toEqual(before)
    const kept = await database.pool.query<{ waiting: number }>(
      'select waiting from delivery_counts where workspace_id = $1',
      [rows.workspaceId],
    )
    expect(kept.rows).toEqual([{ waiting: 2 }])
  })
})
