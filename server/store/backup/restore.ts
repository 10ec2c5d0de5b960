import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupError, type BackupFooter, type BackupHeader } from './backup-format.ts'
import { checkBackup, readTables } from './backup-reader.ts'
import { inTransaction } from '../core/database.ts'
import { freezeQueue, type FrozenCounts } from './frozen-queue.ts'
import { listMigrations, migrate } from '../core/migrate.ts'
import { authorizeAll } from '../../domain/auth/authorize.ts'

/** Result of a restore. */
export interface Restored extends FrozenCounts {
  createdAt: string
  rowCount: number
}

/**
 * Restores a backup into an empty database; with `replace` its content is deleted first. The file is checked completely
 * before anything is changed. The queue is frozen (see freezeQueue). Throws BackupError.
 */
export async function restoreBackup(pool: Pool, path: string, replace: boolean): Promise<Restored> {
  const { header, footer } = await checkBackup(path)
  const made = await knownMigrations(header)
  await refuseWhileUsed(pool)
  if (await holdsRows(pool)) {
    if (!replace) {
      throw new BackupError('The database already contains data; add --replace to delete all of it first.')
    }
  }
  await dropAll(pool)
  // The schema of the backup; the later migrations upgrade its rows.
  await migrate(pool, made)
  const frozen = await inTransaction(pool, async ({ client }) => {
    for (const partition of header.partitions) await makePartition(client, partition)
    // The backup contains what triggers wrote.
    for (const { name } of header.tables) await client.query(`alter table "${name}" disable trigger user`)
    for await (const { table, rows } of readTables(path, header)) {
      const columns = table.columns.map((name) => `"${name}"`).join(', ')
      const into = client.query(copyFrom(`copy "${table.name}" (${columns}) from stdin`))
      await pipeline(Readable.from(rows, { objectMode: false }), into)
      if (into.rowCount !== footer.rowCounts[table.name])
        throw new BackupError('The backup does not match its table of contents.')
    }
    for (const { name } of header.tables) await client.query(`alter table "${name}" enable trigger user`)
    await setSequences(client, footer)
    return freezeQueue(authorizeAll({ kind: 'operator', command: 'restore' }), client)
  })
  await migrate(pool)
  await pool.query('analyze')
  const rowCount = Object.values(footer.rowCounts).reduce((sum, count) => sum + count, 0)
  return { ...frozen, createdAt: header.createdAt, rowCount }
}

/** Number of migrations of the backup's database. Throws BackupError for unknown ones. */
async function knownMigrations({ migrations }: BackupHeader): Promise<number> {
  const ours = await listMigrations()
  if (migrations.length > 0 && migrations.every((when, at) => ours[at]?.when === when)) return migrations.length
  throw new BackupError('The backup was made by an unknown version of Sendwright; restore it with that version.')
}

/** An older connection with our application name belongs to a server or worker. */
async function refuseWhileUsed(pool: Pool): Promise<void> {
  const { rows } = await pool.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = 'sendwright' and pid <> pg_backend_pid()
       and backend_start < (select backend_start from pg_stat_activity where pid = pg_backend_pid())`,
  )
  if (rows.length > 0) throw new BackupError('A server or a worker uses this database; stop it first.')
}

async function holdsRows(pool: Pool): Promise<boolean> {
  for (const name of await listTables(pool)) {
    const { rows } = await pool.query(`select from "${name}" limit 1`)
    if (rows.length > 0) return true
  }
  return false
}

async function listTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  )
  return rows.map(({ name }) => name)
}

/** The database holds nothing else (docs/operating.md), so everything in it is deleted. */
async function dropAll(pool: Pool): Promise<void> {
  const tables = await listTables(pool)
  if (tables.length > 0) await pool.query(`drop table ${tables.map((name) => `"${name}"`).join(', ')} cascade`)
  const { rows } = await pool.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public'`,
  )
  for (const { name } of rows) await pool.query(`drop sequence "${name}"`)
  const routines = await pool.query<{ routine: string }>(routinesSql)
  for (const { routine } of routines.rows) await pool.query(`drop routine ${routine}`)
  await pool.query('drop schema if exists migrations, drizzle cascade')
}

/** Routines, except those of extensions. */
const routinesSql = `
  select oid::regprocedure::text as routine from pg_proc p
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`

async function makePartition(
  client: PoolClient,
  { name, parent, bounds, options }: BackupHeader['partitions'][number],
) {
  const { rows } = await client.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [name])
  if (rows[0]?.isThere === true) return
  const storage = options.length > 0 ? ` with (${options.join(', ')})` : ''
  await client.query(`create table ${name} partition of ${parent} ${bounds}${storage}`)
}

async function setSequences(client: PoolClient, { sequences }: BackupFooter): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) {
    if (value !== null) await client.query('select setval($1::regclass, $2)', [name, value])
  }
}
