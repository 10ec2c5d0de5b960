import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopeOf } from '../../../tests/support/scope.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { SortKey } from '../../domain/core/page.ts'
import { openDatabase, type Database } from './database.ts'
import { createSuppressionStore } from '../suppressions/suppression.ts'
import { isAfter } from './page.ts'

const workspaceId = '00000000-0000-4000-8000-000000000001'
const anything = { email: null, search: null, reason: null }
let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await database.pool.query(`insert into workspaces (id, name) values ($1, 'W')`, [workspaceId])
  // A hundred rows per time, and times that differ in microseconds only.
  await database.pool.query(
    `insert into suppressions (workspace_id, id, email, reason, created_at)
     select $1, gen_random_uuid(), 'person' || n || '@example.com', 'bounced',
       timestamptz '2026-01-01T00:00:00Z' + (n / 100) * interval '1 microsecond'
     from generate_series(1, 10000) n`,
    [workspaceId],
  )
  await database.pool.query('vacuum analyze suppressions')
})
afterAll(async () => {
  await database.close()
  await drop()
})

describe('pages by cursor', () => {
  it('skip no row and repeat none of 10,000 while rows are added and deleted', async () => {
    const store = createSuppressionStore(database, randomUUID)
    const seen: string[] = []
    const deleted = new Set<string>()
    let after: SortKey | null = null
    do {
      const page = await store.list(scopeOf(workspaceId), anything, { limit: 170, offset: 0, after })
      seen.push(...page.rows.map(({ email }) => email))
      after = page.next
      const round = seen.length
      await store.add(scopeOf(workspaceId), [{ email: `new${round}@example.com`, reason: 'manual' }])
      // The row of the cursor itself, a listed row and a later one.
      for (const row of [page.rows.at(-1), page.rows[3]]) if (row) await store.remove(scopeOf(workspaceId), row.id)
      const email = `person${10_000 - round}@example.com`
      const gone = await database.pool.query('delete from suppressions where workspace_id = $1 and email = $2', [
        workspaceId,
        email,
      ])
      if (gone.rowCount === 1) deleted.add(email)
    } while (after !== null)
    const all = Array.from({ length: 10_000 }, (_, n) => `person${n + 1}@example.com`)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((email) => email.startsWith('new'))).toEqual([])
    expect(all.filter((email) => !seen.includes(email) && !deleted.has(email))).toEqual([])
  })

  it('start at their cursor by an index', async () => {
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain select id from suppressions where workspace_id = $1 and ${isAfter('desc', 2)}
       order by created_at desc, id desc limit 100`,
      [workspaceId, '2026-01-01T00:00:00.000050Z', workspaceId],
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/Index (Only )?Scan Backward using suppressions_list/)
    expect(plan).toMatch(/Index Cond: .*ROW\(created_at, id\) </)
    expect(plan).not.toContain('Sort')
  })
})
