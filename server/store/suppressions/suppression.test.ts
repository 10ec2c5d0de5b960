import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createSuppressionStore } from './suppression.ts'
import { scopeOf } from '../../../tests/support/scope.ts'

const workspaceId = '00000000-0000-4000-8000-000000000001'
let database: Database
let drop: () => Promise<void>

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await database.pool.query(`insert into workspaces (id, name) values ($1, 'W')`, [workspaceId])
})
afterAll(async () => {
  await database.close()
  await drop()
})

const find = async (search: string) => {
  const page = { limit: 10, offset: 0 }
  const { rows } = await createSuppressionStore(database, randomUUID).list(
    scopeOf(workspaceId),
    { email: null, search, reason: null },
    page,
  )
  return rows.map(({ email }) => email)
}

describe('a search in the suppression list', () => {
  it('finds the text anywhere in an address, without wildcards', async () => {
    const emails = ['a_b@example.com', 'axb@example.com', '50%off@example.org', String.raw`"a\b"@example.org`]
    const entries = emails.map((email) => ({ email, reason: 'manual' as const }))
    await createSuppressionStore(database, randomUUID).add(scopeOf(workspaceId), entries)
    expect(await find('a_b@')).toEqual(['a_b@example.com'])
    expect(await find('0%o')).toEqual(['50%off@example.org'])
    expect(await find(String.raw`a\b`)).toEqual([String.raw`"a\b"@example.org`])
    expect((await find('example.com')).sort()).toEqual(['a_b@example.com', 'axb@example.com'])
    expect(await find('nobody')).toEqual([])
  })

  it('uses an index in a long list', async () => {
    await database.pool.query(
      `insert into suppressions (workspace_id, id, email, reason)
       select $1, gen_random_uuid(), 'person' || n || '@example.com', 'bounced' from generate_series(1, 20000) n`,
      [workspaceId],
    )
    await database.pool.query('vacuum analyze suppressions')
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain select count(*) from suppressions where workspace_id = '${workspaceId}' and email like '%son7777@%'`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('suppressions_email_parts')
  })
})
