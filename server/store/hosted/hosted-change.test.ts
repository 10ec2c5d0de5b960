import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { TestDatabase } from '../../../tests/support/postgres-server.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { createHostedChangeStore } from './hosted-change.ts'

let own: TestDatabase
let database: Database
let changes: ReturnType<typeof createHostedChangeStore>

beforeAll(async () => {
  own = await createTestDatabase()
  database = openDatabase(own.connection, () => undefined)
  changes = createHostedChangeStore(database.pool)
})
afterAll(async () => {
  await database.close()
  await own.drop()
})

const fill = (collection: string, count: number, data = "'{}'") =>
  database.pool.query(
    `insert into hosted_documents (collection, id, data)
     select '${collection}', 'd' || n, ${data} from generate_series(1, ${count}) n`,
  )
const kept = async (collection: string) => {
  const { rows } = await database.pool.query<{ first: number; count: number }>(
    'select min(id) as first, count(*) as count from hosted_changes where collection = $1',
    [collection],
  )
  return rows[0]
}

it('keeps changes for a day, and of each collection the last 10,000 and 64 MB', async () => {
  await fill('many', 10_050)
  await fill('old', 3)
  await fill('large', 270)
  await database.pool.query("update hosted_changes set octets = 256000 where collection = 'large'")
  await database.pool.query(
    "update hosted_changes set at = now() - interval '25 hours' where collection = 'old' and id < 3",
  )
  await changes.prune()
  expect(await kept('many')).toEqual({ first: 51, count: 10_000 })
  expect(await kept('old')).toEqual({ first: 3, count: 1 })
  const { count, first } = (await kept('large'))!
  expect(count).toBe(Math.floor((64 * 1024 * 1024) / 256_000))
  expect(first).toBe(270 - count + 1)
  expect(await changes.read('many', 49, { count: 5, octets: 1000 })).toEqual({ status: 'gap', lastId: 10_050 })
  expect(await changes.read('many', 50, { count: 5, octets: 1000 })).toMatchObject({
    status: 'read',
    changes: { length: 5 },
  })
})

it('deletes expired sign-ins', async () => {
  await database.pool.query(
    `with u as (insert into hosted_users (id, email, password_hash, data)
       values (gen_random_uuid(), 'ann@example.com', '', '{}') returning id)
     insert into hosted_tokens (token_hash, user_id, expires_at)
     select hash, id, now() + life from u, (values ('\\x01'::bytea, interval '-1 second'), ('\\x02', '1 day')) as t (hash, life)`,
  )
  await changes.prune()
  const { rows } = await database.pool.query('select json_agg(token_hash)::text as kept from hosted_tokens')
  expect(rows).toEqual([{ kept: '["\\\\x02"]' }])
})

it('always reads the first change, and further ones within the limits', async () => {
  await fill('sized', 5, "jsonb_build_object('text', repeat('x', 1000))")
  const read = async (limit: { count: number; octets: number }) => {
    const result = await changes.read('sized', 0, limit)
    return result.status === 'read' ? result.changes.map(({ id }) => id) : result
  }
  expect(await read({ count: 10, octets: 1 })).toEqual([1])
  expect(await read({ count: 10, octets: 2500 })).toEqual([1, 2, 3])
  expect(await read({ count: 2, octets: 1e6 })).toEqual([1, 2])
  expect(await changes.read('nothing', 0, { count: 1, octets: 1 })).toEqual({ status: 'read', changes: [] })
})

it('refuses to move a document to another collection', async () => {
  await fill('fixed', 1)
  await expect(database.pool.query("update hosted_documents set id = 'e1' where collection = 'fixed'")).rejects.toThrow(
    'A hosted document keeps its collection and its id.',
  )
})
