import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, emptyTables, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { dropOldDeliveries, ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createStatisticsStore } from '../statistics/statistics.ts'
import { scopeOf, systemScope } from '../../../tests/support/scope.ts'

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
  await emptyTables(database.pool)
  rows = await createMailRows(database.pool)
})

const people = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)

describe('partitions', () => {
  it('are created for last month, this one and the next two, once for concurrent processes', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ensureDeliveryPartitions(database.pool)))
    const { rows: made } = await database.pool.query<{ name: string; options: string[] }>(
      `select c.relname as name, c.reloptions as options from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'deliveries'::regclass order by 1`,
    )
    const now = new Date()
    const names = [-1, 0, 1, 2].map((shift) => {
      const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + shift, 1))
      return `deliveries_${month.toISOString().slice(0, 7).replace('-', '_')}`
    })
    expect(made.map(({ name }) => name)).toEqual(names)
    expect(made[0]?.options).toContain('autovacuum_vacuum_scale_factor=0.01')
    expect(made[0]?.options).toContain('autovacuum_vacuum_cost_delay=0')
  })

  it('of events and of mails by address take rows of this month and the next ones', async () => {
    const { rows: made } = await database.pool.query<{ table: string; count: number }>(
      `select inhparent::regclass::text as "table", count(*)::int as count from pg_inherits
       where inhparent in ('events'::regclass, 'address_deliveries'::regclass) group by 1 order by 1`,
    )
    expect(made).toEqual([
      { table: 'address_deliveries', count: 4 },
      { table: 'events', count: 4 },
    ])
    // The first instant of a month in UTC, whatever zone the database is in.
    const { rows: placed } = await database.pool.query<{ place: string }>(
      `insert into events (workspace_id, at, seq, kind)
       values ($1, date_trunc('month', now() at time zone 'utc') at time zone 'utc', 1, 1)
       returning right(tableoid::regclass::text, 7) as place`,
      [rows.workspaceId],
    )
    expect(placed[0]?.place).toBe(new Date().toISOString().slice(0, 7).replace('-', '_'))
  })

  it('have the checks and indexes of the parent', async () => {
    const { rows: indexes } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_inherits i join pg_index x on x.indrelid = i.inhrelid
       where i.inhparent = 'deliveries'::regclass group by i.inhrelid`,
    )
    const { rows: whole } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from pg_index where indrelid = 'deliveries'::regclass`,
    )
    const count = whole[0]?.count ?? 0
    expect(count).toBeGreaterThan(3)
    expect(indexes.map((partition) => partition.count)).toEqual([count, count, count, count])
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(1))
    await expect(database.pool.query(`update deliveries set state = 'lost'`)).rejects.toThrow(/deliveries_state/)
  })

  /** Creates the partition of an earlier month; returns its first day. */
  async function makeOldMonth(monthsAgo: number): Promise<string> {
    const { rows: made } = await database.pool.query<{ day: string }>(
      `select (date_trunc('month', now() at time zone 'utc') - make_interval(months => $1))::date::text as day`,
      [monthsAgo],
    )
    const day = made[0]?.day ?? ''
    const name = `deliveries_${day.slice(0, 7).replace('-', '_')}`
    await database.pool.query(
      `create table ${name} partition of deliveries for values from ('${day}') to ('${day}'::date + interval '1 month')`,
    )
    return day
  }

  it('are dropped with their messages once they are old and nothing in them is pending', async () => {
    const day = await makeOldMonth(5)
    const mailboxId = await rows.addMailbox()
    const [old, young] = [await rows.addMessage(mailboxId, people(2)), await rows.addMessage(mailboxId, people(1))]
    await database.pool.query('update messages set created_at = $1 where id = $2', [day, old])
    await database.pool.query('update deliveries set month = $1 where message_id = $2', [day, old])
    expect(await dropOldDeliveries(systemScope, database.pool, 6)).toBe(0)
    expect(await dropOldDeliveries(systemScope, database.pool, 3)).toBe(0)
    await database.pool.query(`update deliveries set state = 'sent' where message_id = $1`, [old])
    expect(await dropOldDeliveries(systemScope, database.pool, 3)).toBe(1)
    expect(await rows.states()).toEqual({ queued: 1 })
    const { rows: left } = await database.pool.query<{ id: string }>('select id from messages')
    expect(left).toEqual([{ id: young }])
  })

  it('keep the counts by day when they are dropped, without test mails', async () => {
    const day = await makeOldMonth(4)
    const mailboxId = await rows.addMailbox()
    const [real, test] = [await rows.addMessage(mailboxId, people(2)), await rows.addMessage(mailboxId, people(1))]
    await database.pool.query('update messages set is_test = true where id = $1', [test])
    await database.pool.query(`update deliveries set month = $1, state = 'sent', settled_at = now()`, [day])
    const sent = async () => {
      const days = await createStatisticsStore(database.pool).countByDay(scopeOf(rows.workspaceId), 30, 'UTC')
      return days.reduce((sum, counts) => sum + counts.sent, 0)
    }
    expect(await sent()).toBe(2)
    expect(await dropOldDeliveries(systemScope, database.pool, 3)).toBe(1)
    expect([await sent(), await rows.deliveries(real)]).toEqual([2, []])
  })
})
