import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createMailRows, emptyTables, type MailRows } from '../support/mail-rows.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { expectStartFailure, startServerProcess, workerCommand, type ServerProcess } from '../support/server-process.ts'
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let test: Awaited<ReturnType<typeof createTestDatabase>>
let database: Database
let rows: MailRows

beforeAll(async () => {
  test = await createTestDatabase()
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
})

afterAll(async () => {
  await database.close()
  await test.drop()
})

beforeEach(async () => {
  await database.pool.query('truncate vault_keys')
  await emptyTables(database.pool)
  rows = await createMailRows(database.pool)
})

const people = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)
const wait = { interval: 20 }

/** Workers that share a database and a key file, each with a data folder of its own. */
function startWorker(
  folder: string,
  name: string,
  sink: SmtpSink,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  return startServerProcess({
    command: workerCommand,
    environment: {
      DATABASE_URL: test.url,
      DATABASE_DIRECT_URL: test.url,
      DATA_DIR: join(folder, name),
      SECRET_KEY_FILE: join(folder, 'secret.key'),
      SMTP_ALLOW: `127.0.0.1:${sink.port}`,
      LOG_LEVEL: 'warn',
      ...settings,
    },
  })
}

/** A mailbox that submits its mail to the sink, over the given number of connections. */
async function addMailbox(sink: SmtpSink, connectionCount: number): Promise<string> {
  const mailboxId = await rows.addMailbox()
  await database.pool.query(
    `update email_configs set smtp_host = '127.0.0.1', smtp_port = $2, smtp_security = 'none', limit_connections = $3
     where id = $1`,
    [mailboxId, sink.port, connectionCount],
  )
  return mailboxId
}

const ownerCount = async () => {
  const { rows: found } = await database.pool.query<{ count: number }>(
    `select count(distinct lease_owner)::int as count from deliveries where state = 'sending'`,
  )
  return found[0]?.count
}

describe('a worker', () => {
  it('shares one mailbox’s mail with another; after a kill its next start settles its deliveries in flight', async () => {
    await using folder = await temporaryFolder()
    const sink = await startSmtpSink({ onMessage: () => sleep(20, undefined) })
    try {
      const mailboxId = await addMailbox(sink, 30)
      const one = await startWorker(folder.path, 'one', sink)
      await using other = await startWorker(folder.path, 'other', sink)
      await rows.addMessage(mailboxId, people(3000))
      await expect.poll(ownerCount, wait).toBe(2)
      await one.end('SIGKILL')
      await using again = await startWorker(folder.path, 'one', sink)
      await expect.poll(async () => (await rows.states()).queued ?? 0, wait).toBe(0)
      await expect.poll(async () => (await rows.states()).sending ?? 0, wait).toBe(0)
      const { sent = 0, unknown = 0, ...others } = await rows.states()
      expect([sent + unknown, others]).toEqual([3000, {}])
      expect(unknown).toBeLessThanOrEqual(20)
      expect(new Set(sink.recipients()).size).toBe(sink.mails.length)
      expect(sink.peakConnectionCount).toBeLessThanOrEqual(30)
      expect(await again.end('SIGTERM')).toBe(0)
      expect(await other.end('SIGTERM')).toBe(0)
    } finally {
      await sink.close()
    }
  })

  it('that loses its database reconnects; no recipient gets two', async () => {
    await using folder = await temporaryFolder()
    const sink = await startSmtpSink({ onMessage: () => sleep(5, undefined) })
    try {
      const mailboxId = await addMailbox(sink, 3)
      await using worker = await startWorker(folder.path, 'one', sink)
      await rows.addMessage(mailboxId, people(600))
      for (const count of [50, 150, 250]) {
        await sink.waitFor(count)
        await database.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
        )
      }
      await expect.poll(() => rows.states(), wait).toEqual({ sent: 600 })
      expect(sink.recipients().sort()).toEqual(people(600).sort())
      expect(worker.printed().err).not.toMatch(/person|Error:/)
      expect(await worker.end('SIGTERM')).toBe(0)
    } finally {
      await sink.close()
    }
  })

  it('ignores mail for a sandbox', async () => {
    await using folder = await temporaryFolder()
    const sink = await startSmtpSink()
    try {
      const sandboxId = await rows.addMailbox()
      await database.pool.query(`update email_configs set email_address = 'sandbox@localhost' where id = $1`, [
        sandboxId,
      ])
      await rows.addMessage(sandboxId, people(1))
      const mailboxId = await addMailbox(sink, 3)
      await using worker = await startWorker(folder.path, 'one', sink)
      await rows.addMessage(mailboxId, people(1))
      await sink.waitFor(1)
      await expect.poll(() => rows.states(), wait).toEqual({ sent: 1, queued: 1 })
      expect(await worker.end('SIGTERM')).toBe(0)
    } finally {
      await sink.close()
    }
  })

  it('serves only its own /metrics on METRICS_PORT, with METRICS_TOKEN', async () => {
    await using folder = await temporaryFolder()
    const sink = await startSmtpSink()
    try {
      const token = 'a-token-of-our-own-0123'
      const mailboxId = await addMailbox(sink, 3)
      await using worker = await startWorker(folder.path, 'one', sink, { METRICS_PORT: '0', METRICS_TOKEN: token })
      await expect.poll(() => worker.printed().out, wait).toMatch(/metrics is on port \d+/)
      const port = /port (\d+)/.exec(worker.printed().out)?.[1] ?? ''
      const request = (path: string, authorization = `Bearer ${token}`) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })
      await rows.addMessage(mailboxId, people(7))
      await expect.poll(() => rows.states(), wait).toEqual({ sent: 7 })
      const settled = async () => (await (await request('/metrics')).text()).includes('settled_total{state="sent"} 7\n')
      await expect.poll(settled, wait).toBe(true)
      expect((await request('/metrics', 'Bearer wrong')).status).toBe(404)
      expect((await request('/auth/user')).status).toBe(404)
      expect(await worker.end('SIGTERM')).toBe(0)
    } finally {
      await sink.close()
    }
  })

  it('without DATABASE_URL names the missing setting', async () => {
    await using folder = await temporaryFolder()
    const { code, err } = await expectStartFailure({ command: workerCommand, environment: { DATA_DIR: folder.path } })
    expect([code, err]).toEqual([1, expect.stringMatching(/^A worker needs DATABASE_URL/)])
  })

  it('without a database at DATABASE_DIRECT_URL names the wrong setting', async () => {
    await using folder = await temporaryFolder()
    const { code, err } = await expectStartFailure({
      command: workerCommand,
      environment: {
        DATA_DIR: folder.path,
        DATABASE_URL: test.url,
        DATABASE_DIRECT_URL: 'postgres://u:hunter2@127.0.0.1:1/x',
      },
    })
    expect([code, err]).toEqual([1, expect.stringMatching(/DATABASE_DIRECT_URL cannot be used: nothing listens there/)])
    expect(err).not.toContain('hunter2')
  })
})
