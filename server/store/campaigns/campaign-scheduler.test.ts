import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMailRows, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { createCampaignScheduler } from './campaign-scheduler.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from '../messages/delivery-partitions.ts'
import { systemScope } from '../../../tests/support/scope.ts'

let database: Database
let drop: () => Promise<void>
let rows: MailRows

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  rows = await createMailRows(database.pool)
})

afterAll(async () => {
  await database.close()
  await drop()
})

describe('staged campaigns', () => {
  it('are deleted with their recipients a day after they were not launched; others stay', async () => {
    const { pool } = database
    const mailboxId = await rows.addMailbox()
    const stage = async (status: 'draft' | 'cancelled' | 'scheduled', stagedHoursAgo: number | null) => {
      const id = await rows.addCampaign(status)
      await pool.query('update campaigns set staged_at = now() - make_interval(hours => $2) where id = $1', [
        id,
        stagedHoursAgo,
      ])
      await rows.addMessage(mailboxId, ['ann@example.com', 'ben@example.com'], { campaignId: id })
      return id
    }
    const kept = [await stage('draft', 23), await stage('draft', null), await stage('scheduled', null)]
    await stage('draft', 25)
    await stage('cancelled', 25)
    await createCampaignScheduler(pool).deleteUnconfirmed(systemScope)
    const idsIn = async (table: string, column: string) => {
      const found = await pool.query<{ id: string }>(`select distinct ${column} as id from ${table} order by 1`)
      return found.rows.map(({ id }) => id)
    }
    expect(await idsIn('campaigns', 'id')).toEqual(kept.toSorted())
    expect(await idsIn('messages', 'campaign_id')).toEqual(kept.toSorted())
    expect(await idsIn('deliveries', 'campaign_id')).toEqual(kept.toSorted())
  })
})

describe('the addresses of campaigns', () => {
  it('are kept for the last 200 that started, and deleted for ended ones before, hidden ones and those that never started', async () => {
    const { pool } = database
    const { rows: workspaces } = await pool.query<{ id: string }>('select id from workspaces')
    const end = async (changes: string, count = 1) => {
      const { rows: made } = await pool.query<{ id: string }>(
        `insert into campaigns (workspace_id, id, status, started_at, finished_at, counts, deleted_at)
         select $1, gen_random_uuid(), 'finished', now(), now(), '{}', null from generate_series(1, $2::int) returning id`,
        [workspaces[0]?.id, count],
      )
      const ids = made.map(({ id }) => id)
      await pool.query(`update campaigns set ${changes} where id = any($1)`, [ids])
      await pool.query(
        `insert into campaign_recipients (workspace_id, campaign_id, address_hash)
         select workspace_id, id, '\\x01' from campaigns where id = any($1)`,
        [ids],
      )
      return ids
    }
    const [oldest] = await end(`started_at = now() - interval '1 year'`)
    const [moving] = await end(`started_at = now() - interval '2 years', status = 'sending'`)
    const [hidden] = await end('deleted_at = now()')
    const [cancelled] = await end(`started_at = null, status = 'cancelled'`)
    const [draft] = await end(`started_at = null, finished_at = null, status = 'draft'`)
    const recent = await end('status = status', 200)
    await createCampaignScheduler(pool).prune(systemScope)
    const { rows: left } = await pool.query<{ id: string }>('select campaign_id as id from campaign_recipients')
    const ids = new Set(left.map(({ id }) => id))
    const isKept = (id: string | undefined) => id !== undefined && ids.has(id)
    expect([oldest, hidden, cancelled].map(isKept)).toEqual([false, false, false])
    expect([moving, draft].map(isKept)).toEqual([true, true])
    expect(recent.filter((id) => !ids.has(id))).toEqual([])
  })
})
