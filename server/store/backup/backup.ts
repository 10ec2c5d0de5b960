import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Pool, PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listApplied } from '../core/migrate.ts'
import { endOfRows, type BackupFooter, type BackupHeader } from './backup-format.ts'

/**
 * Streams one snapshot of the whole database in the format of backup-format.ts, while other processes work. Secrets
 * stay sealed; the keys are not included.
 */
export function readBackup(pool: Pool, createdAt: Date): Readable {
  return Readable.from(hashed(sections(pool, createdAt)), { objectMode: false, highWaterMark: 1 << 20 })
}

async function* sections(pool: Pool, createdAt: Date): AsyncGenerator<Buffer, Omit<BackupFooter, 'sha256'>> {
  const client = await pool.connect()
  let isWhole = false
  try {
    await client.query('begin isolation level repeatable read read only')
    const header = await describe(client, createdAt)
    yield line(header)
    const rowCounts: Record<string, number> = {}
    for (const { name, columns } of header.tables) {
      // COPY of a partitioned table needs a query.
      const rows = client.query(copyTo(`copy (select ${columns.map(quote).join(', ')} from ${quote(name)}) to stdout`))
      for await (const chunk of rows) yield chunk as Buffer
      yield endOfRows
      rowCounts[name] = rows.rowCount
    }
    // Last: sequences are not part of the snapshot and must not be behind its rows.
    const sequences = await readSequences(client)
    await client.query('commit')
    isWhole = true
    return { rowCounts, sequences }
  } finally {
    // If the reader stops, COPY is unfinished and the connection is unusable.
    client.release(!isWhole)
  }
}

async function* hashed(source: AsyncGenerator<Buffer, Omit<BackupFooter, 'sha256'>>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  try {
    for (;;) {
      const { done, value } = await source.next()
      if (done === true) {
        yield line({ ...value, sha256: hash.digest('hex') })
        return
      }
      hash.update(value)
      yield value
    }
  } finally {
    await source.return({ rowCounts: {}, sequences: {} })
  }
}

async function describe(client: PoolClient, createdAt: Date): Promise<BackupHeader> {
  const tables = await client.query<{ name: string; columns: string[]; parents: string[] }>(tablesSql)
  const partitions = await client.query<BackupHeader['partitions'][number]>(partitionsSql)
  return {
    sendwright: 1,
    createdAt: createdAt.toISOString(),
    migrations: (await listApplied(client)) ?? [],
    tables: inOrder(tables.rows).map(({ name, columns }) => ({ name, columns })),
    partitions: partitions.rows,
  }
}

async function readSequences(client: PoolClient): Promise<BackupFooter['sequences']> {
  const { rows } = await client.query<{ name: string; value: number | null }>(
    `select sequencename as name, last_value as value from pg_sequences where schemaname = 'public' order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Tables after those that they refer to. */
function inOrder<T extends { name: string; parents: string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  const seen = new Set<string>()
  const visit = (table: T) => {
    if (seen.has(table.name)) return
    seen.add(table.name)
    for (const parent of tables.filter(({ name }) => table.parents.includes(name))) visit(parent)
    ordered.push(table)
  }
  for (const table of tables) visit(table)
  return ordered
}

function line(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

const tablesSql = `
  select c.relname as name,
    array(
      select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum
    ) as columns,
    array(
      select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f'
    ) as parents
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

const partitionsSql = `
  select c.relname as name, p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds,
    coalesce(c.reloptions, '{}') as options
  from pg_class c join pg_inherits i on i.inhrelid = c.oid join pg_class p on p.oid = i.inhparent
  where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r'
  order by c.relname`
