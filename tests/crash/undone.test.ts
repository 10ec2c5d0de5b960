import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createScheduledMessageStore } from '../../server/store/messages/scheduled-message.ts'
import { createMailRows } from '../support/mail-rows.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startServerProcess, workerCommand } from '../support/server-process.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { printInSoak, soakSize } from '../support/soak.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const messageCount = soakSize(120, 10_000)

it(
  'UNDO-10 a mail that was undone does not leave after kill -9 and a restart',
  async () => {
    await using folder = await temporaryFolder()
    const sink = await startSmtpSink()
    const test = await createTestDatabase()
    const database = openDatabase(test.connection, () => {})
    const start = () =>
      startServerProcess({
        command: workerCommand,
        environment: {
          DATABASE_URL: test.url,
          DATA_DIR: join(folder.path, 'worker'),
          SECRET_KEY_FILE: join(folder.path, 'secret.key'),
          SMTP_ALLOW: `127.0.0.1:${sink.port}`,
          LOG_LEVEL: 'error',
        },
      })
    let worker: Awaited<ReturnType<typeof start>> | null = null
    try {
      await ensureDeliveryPartitions(database.pool)
      const rows = await createMailRows(database.pool)
      const mailboxId = await rows.addMailbox()
      await database.pool.query(
        "update email_configs set smtp_host = '127.0.0.1', smtp_port = $2, smtp_security = 'none' where id = $1",
        [mailboxId, sink.port],
      )
      const store = createScheduledMessageStore(database, { accept: () => Promise.resolve(null) })
      worker = await start()
      const ids: string[] = []
      for (let at = 0; at < messageCount; at++) ids.push(await addHeld(at))
      // Half of them while the worker runs, half while it is down.
      const undone = new Map<string, boolean>()
      for (const [at, id] of ids.entries()) {
        if (at === messageCount / 2) await worker.end('SIGKILL')
        undone.set(id, (await store.cancel(rows.scope, id, { isUndo: true })) !== null)
      }
      await database.pool.query('update messages set undo_until = now() - interval $$1 second$$')
      await database.pool.query('update deliveries set next_attempt_at = now()')
      worker = await start()
      await rows.addMessage(mailboxId, ['last@example.com'])
      await expect.poll(() => sink.recipients(), { timeout: 40_000, interval: 50 }).toContain('last@example.com')
      expect([...undone.values()].every(Boolean)).toBe(true)
      expect(sink.recipients()).toEqual(['last@example.com'])
      await expect.poll(() => rows.states()).toEqual({ cancelled: messageCount, sent: 1 })
      printInSoak(`${messageCount} undone sends, one kill of the worker: 0 mails left`)

      async function addHeld(at: number): Promise<string> {
        const id = await rows.addMessage(mailboxId, [])
        await database.pool.query(
          `insert into deliveries (month, workspace_id, message_id, config_id, recipient, next_attempt_at)
           select date_trunc('month', now() at time zone 'utc')::date, workspace_id, id, config_id, $2,
             now() + interval '10 minutes' from messages where id = $1`,
          [id, `undone${at}@example.com`],
        )
        await database.pool.query("update messages set undo_until = now() + interval '10 minutes' where id = $1", [id])
        return id
      }
    } finally {
      await worker?.[Symbol.asyncDispose]()
      await sink.close()
      await database.close()
      await test.drop()
    }
  },
  soakSize(120_000, 1_200_000),
)
