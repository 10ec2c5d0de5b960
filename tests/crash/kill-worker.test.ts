import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createMailRows } from '../support/mail-rows.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startServerProcess, workerCommand } from '../support/server-process.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { soakSize, printInSoak } from '../support/soak.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const recipientCount = soakSize(900, 100_000)
const killCount = soakSize(4, 20)
const connectionCount = 6

it(
  'kill -9 of two workers in turn: nothing lost, nothing twice, at most one unknown for each connection and kill',
  async () => {
    await using folder = await temporaryFolder()
    const sink = await startSmtpSink({ onMessage: () => new Promise((resolve) => setTimeout(resolve, 3)) })
    const test = await createTestDatabase()
    const database = openDatabase(test.connection, () => {})
    const start = (name: string) =>
      startServerProcess({
        command: workerCommand,
        environment: {
          DATABASE_URL: test.url,
          DATA_DIR: join(folder.path, name),
          SECRET_KEY_FILE: join(folder.path, 'secret.key'),
          SMTP_ALLOW: `127.0.0.1:${sink.port}`,
          LOG_LEVEL: 'error',
        },
      })
    const workers = new Map<string, Awaited<ReturnType<typeof start>>>()
    try {
      await ensureDeliveryPartitions(database.pool)
      const rows = await createMailRows(database.pool)
      const mailboxId = await rows.addMailbox()
      await database.pool.query(
        `update email_configs set smtp_host = '127.0.0.1', smtp_port = $2, smtp_security = 'none', limit_connections = $3
       where id = $1`,
        [mailboxId, sink.port, connectionCount],
      )
      const recipients = Array.from({ length: recipientCount }, (_, at) => `person${at}@example.com`)
      await rows.addMessage(mailboxId, recipients)
      for (const name of ['one', 'two']) workers.set(name, await start(name))
      for (let kill = 1; kill <= killCount; kill++) {
        await sink.waitFor(Math.floor((kill * recipientCount) / (killCount + 1)))
        const name = kill % 2 === 0 ? 'one' : 'two'
        await workers.get(name)?.end('SIGKILL')
        workers.set(name, await start(name))
      }
      const waitingCount = async () => {
        const { queued = 0, sending = 0, deferred = 0 } = await rows.states()
        return queued + sending + deferred
      }
      await expect.poll(waitingCount, { timeout: soakSize(40_000, 1_800_000), interval: 50 }).toBe(0)
      const { sent = 0, unknown = 0, ...others } = await rows.states()
      expect([sent + unknown, others]).toEqual([recipientCount, {}])
      printInSoak(`${recipientCount} recipients, ${killCount} kills of workers: ${sent} sent, ${unknown} unknown`)
      expect(unknown).toBeLessThanOrEqual(killCount * connectionCount)
      const times = Map.groupBy(sink.recipients(), (recipient) => recipient)
      expect([...times.values()].filter((mails) => mails.length > 1)).toEqual([])
      const facts = await rows.deliveries()
      expect(facts.filter(({ recipient, state }) => state === 'sent' && !times.has(recipient))).toEqual([])
      for (const one of workers.values()) expect(await one.end('SIGTERM')).toBe(0)
    } finally {
      for (const one of workers.values()) await one[Symbol.asyncDispose]()
      await sink.close()
      await database.close()
      await test.drop()
    }
  },
  soakSize(120_000, 2_400_000),
)
