import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { lockDataFolder } from '../server/postgres/data-folder-lock.ts'
import { openDatabase } from '../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../server/store/messages/delivery-partitions.ts'
import { startEmbeddedPostgres } from '../server/postgres/start.ts'
import { migrate } from '../server/store/core/migrate.ts'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import { html } from './engine/arena.ts'
import type { Bench } from './report.ts'

const rowCount = 1_000_000
const memoryPollMs = 20
const root = fileURLToPath(new URL('..', import.meta.url))
const log = { info: () => undefined, warn: () => undefined }

/**
 * The operator's commands on a campaign with a million recipients, compared with a bare COPY of its two large tables; runs only if named.
 */
export const backupBench: Bench = {
  name: 'backup',
  title: `Backup and restore of ${rowCount} deliveries`,
  isLong: true,
  async run() {
    await using folder = await temporaryFolder()
    const [from, to, file] = ['from', 'to', 'whole.backup'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ]
    let bare = { outSeconds: Number.NaN, inSeconds: Number.NaN }
    await withPostgres(from, async (pool) => {
      await migrate(pool)
      await ensureDeliveryPartitions(pool)
      await fill(pool)
      bare = await copyBare(pool, folder.path)
    })
    await withPostgres(to, () => Promise.resolve())
    const backup = await measure('backup', [file], from)
    const restore = await measure('restore', [file], to)
    const second = { unit: 's', against: 'bare COPY' }
    const none = { unit: 'MiB', baseline: null, against: '' }
    return [
      { case: 'backup', value: backup.seconds, ...second, baseline: bare.outSeconds },
      { case: 'restore', value: restore.seconds, ...second, baseline: bare.inSeconds },
      { case: 'backup, resident memory at most', value: backup.peakMiB, ...none },
      { case: 'restore, resident memory at most', value: restore.peakMiB, ...none },
      { case: 'the file', value: (await stat(file)).size / 2 ** 20, ...none },
    ]
  },
}

async function withPostgres(path: string, work: (pool: Pool) => Promise<unknown>): Promise<void> {
  const lock = await lockDataFolder(path)
  const postgres = await startEmbeddedPostgres({ folder: lock, log })
  const database = openDatabase(postgres.connection, () => undefined)
  try {
    await work(database.pool)
  } finally {
    await database.close()
    await postgres.stop()
    await lock.release()
  }
}

/** A campaign in progress: half of it sent, the rest queued. */
async function fill(pool: Pool): Promise<void> {
  const [workspaceId, mailboxId, campaignId, messageId] = Array.from({ length: 4 }, () => randomUUID())
  await pool.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'Bench'])
  await pool.query(
    `insert into email_configs (id, workspace_id, email_address, provider) values ($1, $2, 'ann@example.com', 'other')`,
    [mailboxId, workspaceId],
  )
  await pool.query(`insert into campaigns (id, workspace_id, status, config_ids) values ($1, $2, 'paused', $3)`, [
    campaignId,
    workspaceId,
    [mailboxId],
  ])
  await pool.query(
    `insert into messages (id, workspace_id, config_id, campaign_id, from_address, subject, content, is_html, context)
     values ($1, $2, $3, $4, 'ann@example.com', 'Doors open, {{first_name}}', $5, true, '{}')`,
    [messageId, workspaceId, mailboxId, campaignId, html],
  )
  await pool.query(
    `insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient, context, state, attempts,
       reply, settled_at)
     select date_trunc('month', now() at time zone 'utc')::date, $1, $2, $3, $4, 'person' || n || '@example.com',
       jsonb_build_object('first_name', 'Ann & ' || n, 'token', md5(n::text)),
       case n % 2 when 0 then 'sent' else 'queued' end, 1 - n % 2,
       case n % 2 when 0 then '250 2.0.0 Ok: queued as ' || md5(n::text) end, case n % 2 when 0 then now() end
     from generate_series(1, $5::int) as n`,
    [workspaceId, messageId, mailboxId, campaignId, rowCount],
  )
  await pool.query(
    `insert into campaign_recipients (workspace_id, campaign_id, address_hash)
     select $3, $1, substring(sha256(('person' || n || '@example.com')::bytea) for 16) from generate_series(1, $2::int) as n`,
    [campaignId, rowCount, workspaceId],
  )
}

/** Copies the two tables to files and back into tables with the same keys and indexes. Seconds. */
async function copyBare(pool: Pool, folder: string): Promise<{ outSeconds: number; inSeconds: number }> {
  const tables = ['deliveries', 'campaign_recipients']
  const client = await pool.connect()
  try {
    const outAt = performance.now()
    for (const table of tables) {
      const rows = client.query(copyTo(`copy (select * from ${table}) to stdout`))
      await pipeline(rows, createWriteStream(join(folder, table)))
    }
    const inAt = performance.now()
    for (const table of tables) {
      await client.query(`create table bare_${table} (like ${table} including all)`)
      const into = client.query(copyFrom(`copy bare_${table} from stdin`))
      await pipeline(createReadStream(join(folder, table)), into)
    }
    const endAt = performance.now()
    for (const table of tables) await client.query(`drop table bare_${table}`)
    return { outSeconds: (inAt - outAt) / 1000, inSeconds: (endAt - inAt) / 1000 }
  } finally {
    client.release()
  }
}

/** Runs an operator's command on a data folder; returns its duration and its peak resident memory (Linux only). */
async function measure(name: string, words: readonly string[], dataDir: string) {
  const startedAt = performance.now()
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [`commands/${name}.ts`, ...words], {
    cwd: root,
    env: { PATH, HOME, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let peakMiB = 0
  const watching = setInterval(() => {
    void readFile(`/proc/${child.pid ?? 0}/status`, 'utf8').then(
      (status) => (peakMiB = Math.max(peakMiB, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)),
      () => undefined, // Not available on other systems.
    )
  }, memoryPollMs)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(watching)
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}`)
  return { seconds: (performance.now() - startedAt) / 1000, peakMiB }
}
