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
