import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Pool, PoolClient } from 'pg'

/** A migration of this version, from drizzle-kit's journal. */
interface Migration {
  /** Its file without `.sql`. */
  tag: string
  /** When it was generated, in ms: identifies it in databases and backups. */
  when: number
}

const folder = new URL('../migrations/', import.meta.url)
/** Any number that no other program on the same database locks. */
const lockId = 7_369_021
/** A schema of its own, which backups leave out. Not `sendwright`: a role of that name would find our tables there. */
const createJournal = `
  create schema if not exists migrations;
  create table if not exists migrations.applied
    (generated_at bigint primary key, tag text not null, applied_at timestamptz not null default now())`

/** What the operator of a preview version's database reads. */
export const previewSentence =
  'This database was created by a preview version of Sendwright and cannot be upgraded: ' +
  'start with an empty DATA_DIR, or with an empty database in DATABASE_URL.'

/** A database that this version cannot bring up to date; the message is one sentence for the operator. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

/** Path of a migration's SQL. */
export const migrationFile = (tag: string): string => fileURLToPath(new URL(`${tag}.sql`, folder))

/** The migrations of this version, oldest first. */
export async function listMigrations(): Promise<Migration[]> {
  const text = await readFile(new URL('meta/_journal.json', folder), 'utf8')
  return (JSON.parse(text) as { entries: Migration[] }).entries
}

/** `generated_at` of each migration that a database has, oldest first; null for a database without any. */
export async function listApplied(database: Pick<Pool, 'query'>): Promise<number[] | null> {
  const { rows } = await database.query<{ exists: boolean }>(
    `select to_regclass('migrations.applied') is not null as exists`,
  )
  if (rows[0]?.exists !== true) return null
  const applied = await database.query<{ at: number }>(
    'select generated_at as at from migrations.applied order by generated_at',
  )
  return applied.rows.map(({ at }) => at)
}

/** Whether a preview version from before the first release created the tables. */
export async function isPreviewDatabase(database: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await database.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null
       and to_regclass('migrations.applied') is null as exists`,
  )
  return rows[0]?.exists === true
}

/**
 * Brings the schema up to date. Processes that start together wait for one another. `count`: apply only the oldest ones.
 * Throws SchemaError.
 */
export async function migrate(pool: Pool, count = Infinity): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockId])
    if (await isPreviewDatabase(client)) throw new SchemaError(previewSentence)
    await client.query(createJournal)
    const last = (await listApplied(client))?.at(-1) ?? 0
    for (const migration of (await listMigrations()).slice(0, count)) {
      if (migration.when > last) await apply(client, migration)
    }
  } finally {
    // Closing the connection releases the lock, also when a migration failed half-way.
    client.release(true)
  }
}

async function apply(client: PoolClient, { tag, when }: Migration): Promise<void> {
  const statements = await readFile(migrationFile(tag), 'utf8')
  await client.query('begin')
  // Without parameters PostgreSQL takes the whole file at once.
  await client.query(statements)
  await client.query('insert into migrations.applied (generated_at, tag) values ($1, $2)', [when, tag])
  await client.query('commit')
}
