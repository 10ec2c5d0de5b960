import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, gunzipSync, gzipSync } from 'node:zlib'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBackup } from '../../server/store/backup/backup.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { cancelFrozen, releaseQueue } from '../../server/store/backup/frozen-queue.ts'
import { readQueueDepth } from '../../server/store/statistics/queue-depth.ts'
import { createKeyRing } from '../../server/store/vault/key-ring.ts'
import { restoreBackup } from '../../server/store/backup/restore.ts'
import { createVault } from '../../server/store/vault/vault.ts'
import { createTestDatabase } from '../support/postgres.ts'
import type { TestDatabase } from '../support/postgres-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { systemScope } from '../support/scope.ts'

const undo: (() => unknown)[] = []
let folder: string
let source: Database
let file: string

const madeDatabase = async (): Promise<Database> => {
  const made: TestDatabase = await createTestDatabase()
  const database = openDatabase(made.connection, () => undefined)
  undo.push(made.drop, () => database.close())
  return database
}

const write = async (database: Database, name: string): Promise<string> => {
  const path = join(folder, name)
  await pipeline(readBackup(database.pool, new Date()), createGzip(), createWriteStream(path))
  return path
}

/** Every table's rows as text, for a comparison with another database. */
const contents = async ({ pool }: Database, table: string): Promise<string[]> => {
  const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`)
  return rows.map(({ row }) => row)
}

const ids = { workspace: randomUUID(), config: randomUUID(), message: randomUUID() }
const nasty = 'tab\tline\nback\\slash \\. end\n\\.\nquote " and ünïcode'
const secret = 'hunter2hunter2'

async function fill({ pool }: Database): Promise<void> {
  await ensureDeliveryPartitions(pool)
  await pool.query(
    'create table deliveries_2020_02 partition of deliveries for values from ($$2020-02-01$$) to ($$2020-03-01$$)',
  )
  const vault = createVault(await createKeyRing(join(folder, 'secret.key')))
  const place = { table: 'email_configs', column: 'app_password', row: ids.config, workspace: ids.workspace }
  await pool.query('insert into workspaces (id, name) values ($1, $2)', [ids.workspace, nasty])
  await pool.query(
    `insert into email_configs (id, workspace_id, email_address, provider, app_password_sealed)
     values ($1, $2, 'ann@example.com', 'gmail', $3)`,
    [ids.config, ids.workspace, vault.seal(secret, place)],
  )
  await pool.query(
    `insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
     values ($1, $2, $3, 'ann@example.com', 'Hi', $4, false, '{"a":"\\\\n"}')`,
    [ids.message, ids.workspace, ids.config, nasty],
  )
  // Its triggers write rows of their own, which must not be duplicated.
  await pool.query(`insert into hosted_documents (collection, id, data) values ('notes', 'a', '{"x":1}')`)
  await pool.query(
    `insert into campaigns (id, workspace_id, status)
     select gen_random_uuid(), $1, unnest(array['draft', 'scheduled', 'sending', 'finished'])`,
    [ids.workspace],
  )
  await pool.query(
    `insert into deliveries (month, workspace_id, message_id, config_id, recipient, state, next_attempt_at, lease_token)
     select coalesce(month, date_trunc('month', now() at time zone 'utc'))::date, $1, $2, $3, recipient, state,
       '2026-02-28 12:34:56.789+00', case when state = 'sending' then gen_random_uuid() end
     from (values ('2020-02-01'::date, 'old@example.com', 'sent'), (null, 'q@example.com', 'queued'),
       (null, 'd@example.com', 'deferred'), (null, 's@example.com', 'sending'), (null, 'f@example.com', 'failed'))
       as given (month, recipient, state)`,
    [ids.workspace, ids.message, ids.config],
  )
}

beforeAll(async () => {
  const made = await temporaryFolder()
  undo.push(() => made[Symbol.asyncDispose]())
  folder = made.path
  source = await madeDatabase()
  await fill(source)
  file = await write(source, 'whole.backup')
})
afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

describe('a backup', () => {
  it('restores every row of every table unchanged, including old months and unusual characters', async () => {
    const restored = await madeDatabase()
    await restoreBackup(restored.pool, file, false)
    const kept = ['workspaces', 'email_configs', 'messages', 'hosted_documents', 'hosted_changes', 'hosted_collections']
    for (const table of kept) {
      expect(await contents(source, table)).not.toEqual([])
      expect(await contents(restored, table)).toEqual(await contents(source, table))
    }
    const { rows } = await restored.pool.query(`select recipient from deliveries_2020_02`)
    expect(rows).toEqual([{ recipient: 'old@example.com' }])
    const next = `select nextval('delivery_ids')::int as id, (select max(id) from deliveries)::int as last`
    const { rows: drawn } = await restored.pool.query<{ id: number; last: number }>(next)
    expect(drawn[0]!.id).toBeGreaterThan(drawn[0]!.last)
  })

  it('is a snapshot of one instant, regardless of concurrent writes', async () => {
    const reading = readBackup(source.pool, new Date())[Symbol.asyncIterator]()
    const first = (await reading.next()).value as Buffer
    const late = randomUUID()
    await source.pool.query('insert into workspaces (id, name) values ($1, $$late$$)', [late])
    const chunks = [first]
    for (let next = await reading.next(); next.done !== true; next = await reading.next())
      chunks.push(next.value as Buffer)
    await source.pool.query('delete from workspaces where id = $1', [late])
    expect(Buffer.concat(chunks).toString()).not.toContain(late)
    expect(Buffer.concat(chunks).toString()).toContain(ids.workspace)
  })

  it('releases its connection when its reader disconnects', async () => {
    const reading = readBackup(source.pool, new Date())[Symbol.asyncIterator]()
    await reading.next()
    await reading.return?.()
    await expect.poll(() => source.pool.totalCount - source.pool.idleCount).toBe(0)
  })

  it('H27 contains no plaintext secret and no key', async () => {
    const text = gunzipSync(await readFile(file)).toString('latin1')
    expect(text).toContain(ids.config)
    const key = JSON.parse(await readFile(join(folder, 'secret.key'), 'utf8')) as { keys: Record<string, string> }
    const raw = Buffer.from(Object.values(key.keys)[0]!, 'base64')
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')]) {
      expect(text).not.toContain(form)
    }
    for (const form of [raw.toString('base64'), raw.toString('hex')]) expect(text).not.toContain(form)
  })
})

describe('a restored queue', () => {
  it('is frozen: nothing is due, and deliveries in flight are unknown', async () => {
    const restored = await madeDatabase()
    const reported = await restoreBackup(restored.pool, file, false)
    expect(reported).toMatchObject({ frozenCount: 2, unknownCount: 1, pausedCount: 2 })
    const { rows } = await restored.pool.query(
      `select recipient from deliveries where state in ('queued', 'deferred') and next_attempt_at < now() + interval '99 years'`,
    )
    expect(rows).toEqual([])
    const states = await restored.pool.query('select recipient, state from deliveries order by 1')
    expect(states.rows).toContainEqual({ recipient: 's@example.com', state: 'unknown' })
    const campaigns = await restored.pool.query('select status from campaigns order by status')
    expect(campaigns.rows.map(({ status }) => status as string)).toEqual(['draft', 'finished', 'paused', 'paused'])
    expect(await readQueueDepth(systemScope, restored.pool)).toMatchObject({ frozenCount: 2 })
  })

  it('continues after its release, and a second release changes nothing', async () => {
    const restored = await madeDatabase()
    await restoreBackup(restored.pool, file, false)
    expect([await releaseQueue(systemScope, restored.pool), await releaseQueue(systemScope, restored.pool)]).toEqual([
      2, 0,
    ])
    const due = `select recipient, next_attempt_at from deliveries where state in ('queued', 'deferred') order by 1`
    expect((await restored.pool.query(due)).rows).toEqual((await source.pool.query(due)).rows)
  })

  it('can be cancelled instead', async () => {
    const restored = await madeDatabase()
    await restoreBackup(restored.pool, file, false)
    expect(await cancelFrozen(systemScope, restored.pool)).toBe(2)
    const { rows } = await restored.pool.query(
      `select count(*)::int as count from deliveries where state = 'cancelled'`,
    )
    expect(rows).toEqual([{ count: 2 }])
  })

  it('survives another backup and restore without a second deferral', async () => {
    const [first, second] = [await madeDatabase(), await madeDatabase()]
    await restoreBackup(first.pool, file, false)
    await restoreBackup(second.pool, await write(first, 'again.backup'), false)
    expect(await releaseQueue(systemScope, second.pool)).toBe(2)
    expect(await readQueueDepth(systemScope, second.pool)).toMatchObject({ frozenCount: 0 })
  })
})

describe('a restore fails for', () => {
  const altered = async (name: string, change: (lines: Buffer) => Buffer): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, gzipSync(change(gunzipSync(await readFile(file)))))
    return path
  }

  it.each<[string, () => Promise<string>, RegExp]>([
    ['a file that is not there', () => Promise.resolve(join(folder, 'none')), /There is no file/],
    ['a file of another kind', () => written('other', Buffer.from('hello')), /not a backup/],
    ['an empty file', () => written('empty', Buffer.alloc(0)), /empty|cut off/],
    ['one that is cut off', async () => written('cut', (await readFile(file)).subarray(0, -40)), /cut off|damaged/],
    ['one that was cut off and closed', () => altered('closed', (all) => all.subarray(0, -200)), /cut off|damaged/],
    ['one with a byte changed', () => altered('changed', flip), /damaged/],
    [
      'one of a later version',
      () => altered('later', (all) => replaceText(all, '"migrations":[', '"migrations":[1,')),
      /another version|damaged/,
    ],
    [
      'one whose header holds SQL',
      () => altered('hostile', (all) => replaceText(all, '"name":"users"', '"name":"users; drop"')),
      /not a backup/,
    ],
  ])('%s, and changes nothing', async (_what, path, sentence) => {
    const before = await contents(source, 'workspaces')
    await expect(restoreBackup(source.pool, await path(), true)).rejects.toThrow(sentence)
    expect(await contents(source, 'workspaces')).toEqual(before)
  })

  it('a database with data, unless replacement is allowed', async () => {
    const full = await madeDatabase()
    await full.pool.query(`insert into workspaces (id, name) values ($1, 'mine')`, [randomUUID()])
    await expect(restoreBackup(full.pool, file, false)).rejects.toThrow('--replace')
    expect(await contents(full, 'workspaces')).toHaveLength(1)
    await restoreBackup(full.pool, file, true)
    expect(await contents(full, 'workspaces')).toEqual(await contents(source, 'workspaces'))
  })

  it('a database in use by a server', async () => {
    const used = await createTestDatabase()
    const server = openDatabase(used.connection, () => undefined)
    const mine = openDatabase(used.connection, () => undefined)
    undo.push(
      used.drop,
      () => server.close(),
      () => mine.close(),
    )
    await server.pool.query('select 1')
    await expect(restoreBackup(mine.pool, file, true)).rejects.toThrow('stop it first')
  })

  const written = async (name: string, bytes: Buffer): Promise<string> => {
    await writeFile(join(folder, name), bytes)
    return join(folder, name)
  }
})

it('a backup of many rows is streamed in chunks', async () => {
  const large = await madeDatabase()
  await large.pool.query(
    `insert into workspaces (id, name) select gen_random_uuid(), repeat(md5(n::text), 200) from generate_series(1, 800) n`,
  )
  const sizes: number[] = []
  for await (const chunk of readBackup(large.pool, new Date())) sizes.push((chunk as Buffer).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(5_000_000)
  expect(Math.max(...sizes)).toBeLessThan(2_000_000)
  const path = await write(large, 'large.backup')
  const back = await buffer(Readable.from(await readFile(path)).pipe(createGunzip()))
  expect(back.length).toBeGreaterThan(5_000_000)
  const restored = await madeDatabase()
  await restoreBackup(restored.pool, path, false)
  expect(await contents(restored, 'workspaces')).toHaveLength(800)
})

function flip(all: Buffer): Buffer {
  const changed = Buffer.from(all)
  const at = changed.indexOf('ann@example.com')
  changed[at] = changed[at]! ^ 1
  return changed
}

function replaceText(all: Buffer, text: string, by: string): Buffer {
  const at = all.indexOf(text)
  return Buffer.concat([all.subarray(0, at), Buffer.from(by), all.subarray(at + text.length)])
}
