import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEventWorld, digestsOf, type Act } from '../../../tests/support/event-world.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'
import { createDeliveryQueue } from '../messages/delivery-queue.ts'
import { LeaseLost } from '../../domain/events/lease-lost.ts'
import { consumers } from './consumers/all.ts'
import type { Consumer } from './consumers/consumer.ts'
import { createEventRetentionStore } from './event-retention.ts'
import { writeEvents } from './inbox.ts'
import { createSuppressionStore } from '../suppressions/suppression.ts'

let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => undefined)
  await ensureDeliveryPartitions(database.pool)
})
afterAll(async () => {
  await database.close()
  await drop()
})

const minuteMs = 60_000

describe('a digest', () => {
  it('VERDICTS-02 counts two clicks of one person on one link as two clicks and one person', async () => {
    const world = await createEventWorld(database)
    await world.act({ who: 0, afterMs: minuteMs, link: 1 }, { who: 0, afterMs: 2 * minuteMs, link: 1 })
    await world.digest()
    expect(await world.figures()).toEqual({ 'clicked 1': { n: 2, people: 1 } })
    const { counted, fromEvents } = await world.recount()
    expect(counted).toEqual(fromEvents)
  })

  it('figures equal a recount of the events, whatever order the events of many mails come in', async () => {
    const world = await createEventWorld(database, { count: 40 })
    let seed = 7
    const random = (limit: number) => (seed = (seed * 16_807) % 2_147_483_647) % limit
    for (let batch = 0; batch < 12; batch += 1) {
      const acts = Array.from({ length: 60 }, (): Act => {
        const agent = (['firefox', 'chrome', 'iphone', 'gmail', 'apple', 'slack', 'gmailPrefetch'] as const)[random(7)]
        const isClick = random(2) === 0
        return {
          who: random(40),
          afterMs: random(290_000),
          ...(isClick && { link: random(4) }),
          ...(agent && { agent }),
          net: `net ${random(3)}`,
          netLabel: random(5) === 0 ? 20 : null,
        }
      })
      await world.act(...acts)
      await world.digest()
    }
    const { counted, fromEvents } = await world.recount()
    expect(counted).toEqual(fromEvents)
    expect(await world.waitingCount()).toBe(0)
  })

  it('give contacts the quarter of an hour of their last open and click, whatever order they arrive in', async () => {
    const world = await createEventWorld(database, { acceptedAgoMs: 10_800_000 })
    const at = (minutes: number) => ({ who: 0, afterMs: minutes * 60_000 })
    const lastAfter = async (...acts: Act[]) => {
      await world.act(...acts)
      await world.digest()
      const { rows } = await database.pool.query<{ opened: number; clicked: number | null }>(
        `select ((extract(epoch from last_open_at) * 1000 - $2) / 60000)::float8 as opened,
           ((extract(epoch from last_click_at) * 1000 - $2) / 60000)::float8 as clicked
         from contacts where workspace_id = $1 and email_key = 'person0@example.com'`,
        [world.workspaceId, world.acceptedAt],
      )
      return [rows[0]?.opened, rows[0]?.clicked]
    }
    expect(await lastAfter(at(20))).toEqual([20, null])
    // A click is an open too, also of a mail whose image was never loaded.
    expect(await lastAfter({ ...at(40), link: 1 })).toEqual([40, 40])
    expect(await lastAfter(at(5), { ...at(25), link: 2 })).toEqual([40, 40])
    expect(await lastAfter(at(60))).toEqual([60, 40])
    const [opened = 0, clicked] = await lastAfter(at(61), at(62))
    expect(Math.floor((world.acceptedAt / 60_000 + (opened ?? 0)) / 15)).toBe(
      Math.floor((world.acceptedAt / 60_000 + 62) / 15),
    )
    expect(clicked).toBe(40)
  })

  it('notes answers, and suppresses dead addresses and complaints with the words of the server', async () => {
    const world = await createEventWorld(database)
    const at = new Date()
    const of = (who: number) => ({
      at,
      deliveryMonth: world.deliveries[who]?.month,
      deliveryId: world.deliveries[who]?.id,
    })
    await writeEvents(
      world.scope,
      [
        { kind: 'replied', ...of(0) },
        { kind: 'bounced', ...of(1), detail: { reason: 'user_unknown', action: 'dead', words: '550 No such user' } },
        { kind: 'complained', ...of(2) },
        { kind: 'bounced', ...of(3), detail: { reason: 'content_refused', action: 'mail', words: '554 No' } },
        { kind: 'unsubscribed', ...of(4) },
        { kind: 'list_joined', at, contactId: 1, detail: { list_id: '7' } },
      ],
      database.pool,
    )
    await world.digest()
    expect(await world.figures()).toEqual({
      'replied 1': { n: 1, people: 1 },
      'bounced 1': { n: 2, people: 2 },
      'complained 1': { n: 1, people: 1 },
      'unsubscribed 1': { n: 1, people: 1 },
    })
    const { rows: suppressed } = await database.pool.query(
      `select s.email, s.reason, s.detail, c.status from suppressions s join contacts c on c.workspace_id = $1 and c.email_key = s.email
       where s.workspace_id = $1 order by 1`,
      [world.workspaceId],
    )
    expect(suppressed).toEqual([
      { email: 'person1@example.org', reason: 'bounced', detail: '550 No such user', status: 'bounced' },
      { email: 'person2@example.com', reason: 'complained', detail: null, status: 'complained' },
    ])
    const { counted, fromEvents } = await world.recount()
    expect(counted.slice(0, 3)).toEqual(fromEvents.slice(0, 3))
  })
})

describe('settled mails', () => {
  it('DIGEST-11 a permanent refusal at SMTP time gives exactly one bounced event for its recipient', async () => {
    const world = await createEventWorld(database, { count: 4, state: 'queued' })
    const queue = createDeliveryQueue(database.pool)
    const token = randomUUID()
    const claim = (indexes: number[]) =>
      database.pool.query(
        `update deliveries set state = 'sending', lease_owner = $2, lease_token = $2, leased_at = now(), settled_at = null
         where message_id = $1 and id = any($3)`,
        [world.messageId, token, indexes.map((index) => world.deliveries[index]?.id)],
      )
    await claim([0, 1, 2, 3])
    const settle = (indexes: number[], state: 'sent' | 'failed', reply: string) =>
      queue.writeOutcomes(
        systemScope,
        indexes.map((index) => ({
          workspaceId: world.workspaceId,
          month: world.deliveries[index]?.month ?? '',
          id: world.deliveries[index]?.id ?? 0,
          token,
          state,
          reply,
          isAttempt: true,
          isCounted: true,
          delayMs: 0,
        })),
      )
    await settle([0, 1], 'sent', '250 OK')
    await settle([2], 'failed', '550 5.1.1 No such user')
    await settle([3], 'failed', '554 5.7.1 Message refused as spam')
    expect(await world.waitingCount()).toBe(3)
    await world.digest()
    const before = await world.figures()
    expect(before).toEqual({ 'sent 1': { n: 2, people: 2 }, 'bounced 1': { n: 2, people: 2 } })
    const { rows: contacts } = await database.pool.query(
      `select sent_count, last_sent_at is not null as "isSent", status from contacts where workspace_id = $1 order by email_key`,
      [world.workspaceId],
    )
    expect(contacts).toEqual([
      { sent_count: 1, isSent: true, status: 'active' },
      { sent_count: 1, isSent: true, status: 'active' },
      { sent_count: 0, isSent: false, status: 'bounced' },
      { sent_count: 0, isSent: false, status: 'active' },
    ])
    // The same refusal once more, after the owner retried the mail.
    await claim([2, 3])
    await settle([2], 'failed', '550 5.1.1 No such user')
    await settle([3], 'failed', '554 5.7.1 Message refused as spam')
    await world.digest()
    expect(await world.figures()).toEqual(before)
    const { rows: reasons } = await database.pool.query(
      'select bounce_reason as reason from engagements where workspace_id = $1 order by delivery_id',
      [world.workspaceId],
    )
    expect(reasons).toEqual([{ reason: 'user_unknown' }, { reason: 'spam_detected' }])
  })
})

describe('the inbox', () => {
  it('DIGEST-02 is digested once by two workers that run at the same time', async () => {
    const world = await createEventWorld(database)
    const acts = Array.from({ length: 300 }, (_, at): Act => ({
      who: at % 10,
      afterMs: 20_000 + at * 900,
      agent: 'gmail',
    }))
    for (let from = 0; from < acts.length; from += 30) await world.act(...acts.slice(from, from + 30))
    const workers = [world.runnerOf(), world.runnerOf()]
    for (const worker of workers) worker.start()
    await expect.poll(() => world.waitingCount()).toBe(0)
    await Promise.all(workers.map((worker) => worker.close()))
    expect(await world.figures()).toEqual({ 'opened 1': { n: 300, people: 10 } })
  })

  it('DIGEST-03 a worker that lost its lease writes nothing of its batch', async () => {
    const world = await createEventWorld(database)
    const digests = digestsOf(database)
    const [late, next] = [{ token: randomUUID() }, { token: randomUUID() }]
    expect(await world.leases.take(world.scope, 'late', late)).toBe(true)
    expect(await world.leases.take(world.scope, 'next', next)).toBe(false)
    await database.pool.query(
      `update digest_leases set lease_until = now() - interval '1 second' where workspace_id = $1`,
      [world.workspaceId],
    )
    expect(await world.leases.take(world.scope, 'next', next)).toBe(true)
    await world.act({ who: 0, afterMs: minuteMs, agent: 'gmail' })
    await expect(digests.digest(world.scope, late, 100, null)).rejects.toThrow(LeaseLost)
    expect([await world.waitingCount(), await world.figures()]).toEqual([1, {}])
    expect(await digests.digest(world.scope, next, 100, null)).toMatchObject({ takenCount: 1 })
    expect(await world.figures()).toEqual({ 'opened 1': { n: 1, people: 1 } })
  })

  it('DIGEST-04 figures equal the mails that a list of recipients shows, in one reading while events are digested', async () => {
    const world = await createEventWorld(database, { count: 60 })
    for (let batch = 0; batch < 20; batch += 1) {
      const opens = [0, 1, 2].map((at): Act => ({ who: batch * 3 + at, afterMs: 20_000 + batch, agent: 'gmail' }))
      await world.act(...opens)
    }
    const digests = digestsOf(database)
    const lease = { token: randomUUID() }
    await world.leases.take(world.scope, 'test', lease)
    const progress = { isDone: false }
    const digesting = (async () => {
      while ((await digests.digest(world.scope, lease, 5, null)).takenCount > 0) continue
      progress.isDone = true
    })()
    const seen = new Set<number>()
    while (!progress.isDone) {
      const { rows } = await database.pool.query<{ figure: number; listed: number }>(
        `select coalesce((select people from source_counts where workspace_id = $1 and source_id = $2 and kind = 1 and verdict = 1), 0)
             as figure,
           (select count(*) from engagements where workspace_id = $1 and source_id = $2 and open_verdict = 1) as listed`,
        [world.workspaceId, world.campaignId],
      )
      expect(rows[0]?.figure).toBe(rows[0]?.listed)
      seen.add(rows[0]?.figure ?? -1)
    }
    await digesting
    expect(seen.size).toBeGreaterThan(1)
    expect(await world.figures()).toEqual({ 'opened 1': { n: 60, people: 60 } })
  })

  it('DIGEST-06 sets aside an event that cannot be digested, and counts the later ones', async () => {
    const world = await createEventWorld(database)
    await world.act({ who: 0, afterMs: minuteMs, agent: 'gmail' })
    await writeEvents(world.scope, [{ kind: 'custom', at: new Date(), detail: { is_broken: true } }], database.pool)
    await world.act({ who: 1, afterMs: minuteMs, agent: 'gmail' })
    const failing: Consumer = {
      name: 'failing',
      kinds: new Set([36]),
      columns: ['detail'],
      statement: `select 1 / (case when detail ->> 'is_broken' = 'true' then 0 else 1 end) from batch`,
    }
    const errors: unknown[] = []
    const worker = world.runnerOf([...consumers, failing], (error) => errors.push(error))
    worker.start()
    await expect.poll(() => world.waitingCount()).toBe(1)
    await worker.close()
    expect(await world.figures()).toEqual({ 'opened 1': { n: 2, people: 2 } })
    const { rows } = await database.pool.query(
      'select kind, parked_error as error from event_inbox where workspace_id = $1',
      [world.workspaceId],
    )
    expect(rows).toEqual([{ kind: 36, error: 'division by zero' }])
    expect(errors).toHaveLength(1)
  })

  it('DIGEST-08 a declared consumer sees every event of its kinds once, over a failure in the middle of a batch too', async () => {
    const world = await createEventWorld(database)
    await database.pool.query('create table seen_by_consumer (seq bigint primary key)')
    const seeing: Consumer = {
      name: 'seeing',
      kinds: new Set([1]),
      columns: ['seq'],
      statement: 'insert into seen_by_consumer (seq) select seq from batch',
    }
    const breaking: Consumer = {
      name: 'breaking',
      kinds: new Set([1]),
      columns: ['seq'],
      statement: 'select 1 / (seq - seq) from batch',
    }
    await world.act(...[0, 1, 2].map((who): Act => ({ who, afterMs: minuteMs, agent: 'gmail' })), {
      who: 3,
      afterMs: minuteMs,
      link: 1,
    })
    await expect(world.digest([seeing, breaking])).rejects.toThrow('division by zero')
    await database.pool.query('delete from digest_leases')
    await world.digest([seeing])
    await world.digest([seeing])
    const { rows } = await database.pool.query('select count(*)::int as count from seen_by_consumer')
    expect(rows).toEqual([{ count: 3 }])
  })

  it('DIGEST-10 keeps a hit that arrives before its mail is recorded as sent, and counts it once after that', async () => {
    const world = await createEventWorld(database, { state: 'queued', acceptedAgoMs: 20_000 })
    await world.act({ who: 0, afterMs: 12_000, agent: 'gmail' })
    await world.digest()
    expect([await world.waitingCount(), await world.figures()]).toEqual([1, {}])
    await database.pool.query(
      `update deliveries set state = 'sent', settled_at = now() - interval '20 seconds' where message_id = $1`,
      [world.messageId],
    )
    await world.digest()
    expect([await world.waitingCount(), await world.figures()]).toEqual([0, { 'opened 1': { n: 1, people: 1 } }])
  })

  it('DIGEST-13 counts events once and keeps them on the timeline after the clock has jumped back by an hour', async () => {
    const world = await createEventWorld(database, { acceptedAgoMs: 2 * 3_600_000 })
    await world.act({ who: 0, afterMs: 2 * 3_600_000 - 10_000, agent: 'gmail' })
    await world.digest()
    // A lease of before the jump lies an hour ahead.
    await database.pool.query(
      `insert into digest_leases (workspace_id, holder, token, lease_until) values ($1, 'gone', $2, now() + interval '1 hour')`,
      [world.workspaceId, randomUUID()],
    )
    await world.act({ who: 1, afterMs: 3_600_000, agent: 'gmail' }, { who: 1, afterMs: 3_500_000, agent: 'gmail' })
    await world.digest()
    expect(await world.figures()).toEqual({ 'opened 1': { n: 3, people: 2 } })
    const { rows } = await database.pool.query(
      'select count(distinct contact_id)::int as contacts, count(*)::int as events from events where workspace_id = $1',
      [world.workspaceId],
    )
    expect(rows).toEqual([{ contacts: 2, events: 3 }])
  })

  it.each([`is_test = true`, `origin = 'account'`])(
    'counts nothing for a mail whose message has %s: it is a test, or one of the deployment to its users',
    async (change) => {
      const world = await createEventWorld(database)
      await database.pool.query(`update messages set ${change} where workspace_id = $1`, [world.workspaceId])
      const [mail] = world.deliveries
      const of = { at: new Date(), deliveryMonth: mail?.month, deliveryId: mail?.id }
      const detail = { reason: 'user_unknown', action: 'dead', words: '550 No such user' } as const
      await writeEvents(world.scope, [{ kind: 'bounced', ...of, detail }], database.pool)
      await world.act({ who: 1, afterMs: minuteMs })
      await world.digest()
      expect(await world.waitingCount()).toBe(0)
      expect(await world.figures()).toEqual({})
    },
  )

  it('drops hits of mails that do not exist any more', async () => {
    const world = await createEventWorld(database)
    await world.act({ who: 0, afterMs: minuteMs, agent: 'gmail' })
    await database.pool.query(`update deliveries set recipient = '(erased)' where message_id = $1`, [world.messageId])
    await world.digest()
    expect([await world.waitingCount(), await world.figures()]).toEqual([0, {}])
  })

  it('drops hits of deleted campaigns, and obeys their complaints', async () => {
    const world = await createEventWorld(database)
    await database.pool.query('update campaigns set deleted_at = now() where workspace_id = $1 and id = $2', [
      world.workspaceId,
      world.campaignId,
    ])
    await world.act({ who: 0, afterMs: minuteMs, agent: 'gmail' }, { who: 0, afterMs: 2 * minuteMs, link: 1 })
    const { month: deliveryMonth, id: deliveryId } = world.deliveries[1]!
    await writeEvents(world.scope, [{ kind: 'complained', at: new Date(), deliveryMonth, deliveryId }], database.pool)
    await world.digest()
    expect([await world.waitingCount(), await world.figures()]).toEqual([0, { 'complained 1': { n: 1, people: 1 } }])
    const { rows } = await database.pool.query('select email from suppressions where workspace_id = $1', [
      world.workspaceId,
    ])
    expect(rows).toEqual([{ email: 'person1@example.org' }])
  })

  it('five refusals of the mailbox by three domains within an hour pause it', async () => {
    const world = await createEventWorld(database)
    await database.pool.query(`update deliveries set recipient = 'x@example.net' where message_id = $1 and id = $2`, [
      world.messageId,
      world.deliveries[9]?.id,
    ])
    const refuse = (indexes: readonly number[]) =>
      writeEvents(
        world.scope,
        indexes.map((index) => ({
          kind: 'sender_refused' as const,
          at: new Date(),
          deliveryMonth: world.deliveries[index]?.month,
          deliveryId: world.deliveries[index]?.id,
          detail: { reason: 'bad_reputation', action: 'sender' },
        })),
        database.pool,
      )
    const status = async () => {
      const { rows } = await database.pool.query<{ status: string }>('select status from email_configs where id = $1', [
        world.mailboxId,
      ])
      return rows[0]?.status
    }
    await refuse([0, 1, 2, 3, 4])
    await world.digest()
    expect(await status()).toBe('active')
    await refuse([9])
    await world.digest()
    expect(await status()).toBe('paused')
    const { rows } = await database.pool.query('select from suppressions where workspace_id = $1', [world.workspaceId])
    expect(rows).toEqual([])
  })
})

it('DIGEST-14 drops the months beyond the retention from the events, and leaves the figures as they were', async () => {
  const world = await createEventWorld(database)
  await world.act({ who: 0, afterMs: minuteMs, agent: 'gmail' }, { who: 1, afterMs: minuteMs, agent: 'gmail' })
  await world.digest()
  await database.pool.query(
    `create table events_2020_02 partition of events for values from ('2020-02-01 00:00:00+00') to ('2020-03-01 00:00:00+00')`,
  )
  const old = (months: number) =>
    database.pool.query(
      `update events set at = case when $2 = 0 then '2020-02-02' else date_trunc('month', now()) - interval '1 month' end
       where workspace_id = $1 and seq = (select min(seq) from events where workspace_id = $1 and at > now() - interval '1 day')`,
      [world.workspaceId, months],
    )
  await old(0)
  await old(1)
  await database.pool.query('update workspaces set events_keep_months = 0 where id = $1', [world.workspaceId])
  const figures = await world.figures()
  const retention = createEventRetentionStore(database)
  const left = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::int as count from events where workspace_id = $1',
      [world.workspaceId],
    )
    return rows[0]?.count
  }
  expect(await left()).toBe(2)
  expect(await retention.dropMonths(systemScope)).toBe(1)
  expect(await left()).toBe(1)
  expect(await retention.listShorter(systemScope)).toContainEqual({ workspaceId: world.workspaceId, months: 0 })
  expect(await retention.deleteOld(world.scope, 0)).toBe(false)
  expect(await left()).toBe(0)
  expect(await world.figures()).toEqual(figures)
})

it('an unsubscription by the link of a mail counts once for its campaign', async () => {
  const world = await createEventWorld(database)
  const { month: deliveryMonth = '', id: deliveryId = 0 } = world.deliveries[3] ?? {}
  const store = createSuppressionStore(database, randomUUID)
  const entry = { email: world.emails[3] ?? '', reason: 'unsubscribed' as const, mail: { deliveryMonth, deliveryId } }
  await store.add(world.scope, [entry])
  await store.add(world.scope, [entry])
  await world.digest()
  expect(await world.figures()).toEqual({ 'unsubscribed 1': { n: 1, people: 1 } })
})
