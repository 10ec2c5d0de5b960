import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { baseVariable, unsubscribeHeaders } from '../../server/domain/campaigns/campaign-mail.ts'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { lockDataFolder } from '../../server/postgres/data-folder-lock.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { startEmbeddedPostgres } from '../../server/postgres/start.ts'
import { readKeyRing } from '../../server/store/vault/key-ring.ts'
import { createVault } from '../../server/store/vault/vault.ts'
import { migrate } from '../../server/store/core/migrate.ts'
import { createAuthority } from '../../tests/support/certificate.ts'
import { startServerProcess, workerCommand, type ServerProcess } from '../../tests/support/server-process.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { cpuSeconds, cpuSecondsOfChildren, parentOf } from './cpu.ts'
import { sinkHost, startSink } from './sink.ts'

/** A database with fsync, a mail server over TLS, and workers as `npm run worker` starts them. */
export interface Arena extends AsyncDisposable {
  database: Database
  sinkPort: number
  /** CPU seconds of the sink and the database so far. */
  cpu: () => Promise<{ sink: number; database: number }>
  /** PEM. */
  ca: string
  /** Starts a worker, and waits until it claims. */
  startWorker: (name: string) => Promise<ServerProcess>
  /** Starts a server that sends nothing itself. */
  startServer: (name: string) => Promise<ServerProcess>
  /** The folder with the key file. */
  path: string
  /** A mailbox of the sink that is paused until `resume`. */
  addMailbox: (connectionCount: number) => Promise<{ mailboxId: string; resume: () => Promise<void> }>
  /**
   * Launches a campaign with this number of recipients, each with a context of its own. `hasUnsubscribe`: with the headers of
   * a campaign's mails, which hold a link of the recipient.
   */
  addCampaign: (
    mailboxId: string,
    recipientCount: number,
    given?: { html?: string; isTracked?: boolean; hasUnsubscribe?: boolean },
  ) => Promise<void>
  /** Waits until at most this number of deliveries is unsettled. */
  untilLeft: (count: number) => Promise<void>
  /** Waits until no event waits for the digest. */
  untilDigested: () => Promise<void>
}

const log = { info: () => undefined, warn: () => undefined }
const pollMs = 20
/** Where the links of mails lead. */
export const linkBase = 'https://links.example.com'

/** About 10 kB, a typical newsletter, with three variables. */
export const html = `<h1>Doors open, {{first_name}}</h1>${'<p style="margin:0 0 16px">We kept <b>two places</b> for you &amp; yours.</p>'.repeat(150)}<a href="https://example.com/{{token}}">See you, {{first_name | default: "friend"}}</a>`

export async function createArena(given: { delayMs?: number } = {}): Promise<Arena> {
  await using undo = new AsyncDisposableStack()
  const folder = undo.use(await temporaryFolder())
  const authority = createAuthority()
  const sink = undo.use(await startSink(authority.issue(sinkHost), given.delayMs ?? 0))
  const caFile = join(folder.path, 'ca.pem')
  await writeFile(caFile, authority.ca)

  const lock = await lockDataFolder(join(folder.path, 'postgres'))
  undo.defer(() => lock.release())
  const postgres = await startEmbeddedPostgres({ folder: lock, log })
  undo.defer(() => postgres.stop())
  const database = openDatabase(postgres.connection, () => undefined)
  undo.defer(() => database.close())
  await migrate(database.pool)
  await ensureDeliveryPartitions(database.pool)
  const workspaceId = randomUUID()
  await database.pool.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'Bench'])

  const { user, password, database: name, host } = postgres.connection
  const url = `postgres://${user}:${encodeURIComponent(password)}@localhost:${postgres.connection.port}/${name}?host=${encodeURIComponent(host)}`
  const everything = undo.move()
  const start = async (name: string, given: { command?: typeof workerCommand }, settings: Record<string, string>) => {
    const environment = {
      DATABASE_URL: url,
      DATA_DIR: join(folder.path, name),
      SECRET_KEY_FILE: join(folder.path, 'secret.key'),
      SMTP_ALLOW: `${sinkHost}:${sink.port}`,
      NODE_EXTRA_CA_CERTS: caFile,
      LOG_LEVEL: 'warn',
      ...settings,
    }
    return everything.use(await startServerProcess({ ...given, environment }))
  }
  let acceptedCount = 0
  return {
    database,
    sinkPort: sink.port,
    ca: authority.ca,

    async cpu() {
      const { rows } = await database.pool.query<{ pid: number }>('select pg_backend_pid() as pid')
      const postmaster = await parentOf(rows[0]?.pid ?? 0)
      return { sink: await cpuSeconds(sink.pid), database: await cpuSecondsOfChildren(postmaster) }
    },

    path: folder.path,
    startWorker: (name) => start(name, { command: workerCommand }, {}),
    startServer: (name) => start(name, {}, { PORT: '0', WORKERS: '0', CALLS_PER_SECOND: '0' }),

    async addMailbox(connectionCount) {
      const mailboxId = randomUUID()
      await database.pool.query(
        `insert into email_configs
           (id, workspace_id, email_address, provider, smtp_host, smtp_port, smtp_security, limit_connections, status)
         values ($1, $2, $3, 'other', $4, $5, 'tls', $6, 'paused')`,
        [mailboxId, workspaceId, `${mailboxId.slice(0, 8)}@example.com`, sinkHost, sink.port, connectionCount],
      )
      return {
        mailboxId,
        async resume() {
          await database.pool.query(`update email_configs set status = 'active' where id = $1`, [mailboxId])
        },
      }
    },

    async addCampaign(mailboxId, recipientCount, given = {}) {
      const { html: content = html, isTracked = false, hasUnsubscribe = false } = given
      const [id, campaignId] = [randomUUID(), randomUUID()]
      await database.pool.query(
        `insert into campaigns (id, workspace_id, status, config_ids) values ($1, $2, 'draft', $3)`,
        [campaignId, workspaceId, [mailboxId]],
      )
      await database.pool.query(
        `insert into messages
           (id, workspace_id, config_id, campaign_id, from_address, subject, content, is_html, context, extra_headers)
         values ($1, $2, $3, $4, 'ann@example.com', 'Doors open, {{first_name}}', $5, true, $6, $7)`,
        [
          id,
          workspaceId,
          mailboxId,
          campaignId,
          content,
          hasUnsubscribe ? { [baseVariable]: linkBase } : {},
          hasUnsubscribe ? JSON.stringify(unsubscribeHeaders) : null,
        ],
      )
      if (isTracked) {
        const ring = await readKeyRing(join(folder.path, 'secret.key'))
        if (ring === null) throw new Error('a worker makes the key when it starts')
        await database.pool.query(
          `update messages set tracking = 'identified', link_base = $4, link_key_id = $3
           where workspace_id = $1 and id = $2`,
          [workspaceId, id, createVault(ring).mailKeyId(), linkBase],
        )
      }
      await database.pool.query(
        `insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient, context)
         select date_trunc('month', now() at time zone 'utc')::date, $1, $2, $3, $4, 'person' || n || '@example.com',
           jsonb_build_object('first_name', 'Ann & ' || n, 'token', md5(n::text))
         from generate_series(1, $5::int) as n`,
        [workspaceId, id, mailboxId, campaignId, recipientCount],
      )
      await database.pool.query('analyze deliveries')
      // Not earlier: a sending campaign without recipients is finished.
      await database.pool.query(`update campaigns set status = 'sending' where id = $1`, [campaignId])
      acceptedCount += recipientCount
    },

    async untilLeft(count) {
      for (;;) {
        // A few rows contain the sent totals: a count of the queue would cost as much as sending it.
        const { rows } = await database.pool.query<{ sent: number }>(
          'select coalesce(sum(count), 0)::int as sent from mailbox_usage where bucket_seconds = 300',
        )
        if (acceptedCount - (rows[0]?.sent ?? 0) <= count) return
        await sleep(pollMs)
      }
    },

    async untilDigested() {
      for (;;) {
        const { rows } = await database.pool.query('select from event_inbox limit 1')
        if (rows.length === 0) return
        await sleep(pollMs)
      }
    },

    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  }
}
