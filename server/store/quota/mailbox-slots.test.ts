import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, emptyTables, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createMailboxSlots } from './mailbox-slots.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import { bindScope } from '../../domain/auth/scope.ts'

let database: Database
let drop: () => Promise<void>
let rows: MailRows

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
})

afterAll(async () => {
  await database.close()
  await drop()
})

beforeEach(async () => {
  await emptyTables(database.pool)
  rows = await createMailRows(database.pool)
})

const given = (mailboxId: string, wantedCount: number, limitCount: number) => ({
  workspaceId: rows.workspaceId,
  mailboxId,
  holder: randomUUID(),
  wantedCount,
  limitCount,
})

describe('connection slots of a mailbox', () => {
  it('are shared by all processes, also for concurrent requests', async () => {
    const slots = bindScope(createMailboxSlots(database.pool), systemScope)
    const mailboxId = await rows.addMailbox()
    const taken = await Promise.all(Array.from({ length: 8 }, () => slots.acquire(given(mailboxId, 2, 5))))
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(5)
  })

  it('replace the slots that the holder has', async () => {
    const slots = bindScope(createMailboxSlots(database.pool), systemScope)
    const mailboxId = await rows.addMailbox()
    const mine = given(mailboxId, 2, 5)
    expect(await slots.acquire(mine)).toBe(2)
    expect(await slots.acquire({ ...mine, wantedCount: 9 })).toBe(5)
    expect(await slots.acquire(given(mailboxId, 1, 5))).toBe(0)
    await slots.release(mine.holder, mine)
    expect(await slots.acquire(given(mailboxId, 9, 5))).toBe(5)
  })

  it('follow the mailbox’s own limit where it has one; a deleted mailbox has none', async () => {
    const slots = bindScope(createMailboxSlots(database.pool), systemScope)
    const mailboxId = await rows.addMailbox()
    await database.pool.query('update email_configs set limit_connections = 1 where id = $1', [mailboxId])
    const mine = given(mailboxId, 9, 5)
    expect(await slots.acquire(mine)).toBe(1)
    await rows.remove(mailboxId)
    expect(await slots.acquire(mine)).toBe(0)
  })

  it('expire without renewal, and cannot be renewed too late', async () => {
    const slots = bindScope(createMailboxSlots(database.pool), systemScope)
    const mailboxId = await rows.addMailbox()
    const mine = given(mailboxId, 3, 3)
    await slots.acquire(mine)
    expect(await slots.renew(mine.holder, [mine])).toEqual([mailboxId])
    await database.pool.query(`update mailbox_slots set renewed_at = now() - interval '46 seconds'`)
    expect(await slots.acquire(given(mailboxId, 3, 3))).toBe(3)
    expect(await slots.renew(mine.holder, [mine])).toEqual([])
    await database.pool.query(`update mailbox_slots set renewed_at = now() - interval '2 hours'`)
    await slots.prune()
    const { rows: left } = await database.pool.query('select from mailbox_slots')
    expect(left).toHaveLength(0)
  })
})
