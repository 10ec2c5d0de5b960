import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createMailRows } from '../support/mail-rows.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startServerProcess, workerCommand } from '../support/server-process.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const people = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)

it('a full disk for the journal stops sending; with free space it continues, and no recipient gets two', async () => {
  await using folder = await temporaryFolder()
  const sink = await startSmtpSink()
  const test = await createTestDatabase()
  const database = openDatabase(test.connection, () => {})
  try {
    await ensureDeliveryPartitions(database.pool)
    const rows = await createMailRows(database.pool)
    const mailboxId = await rows.addMailbox()
    await database.pool.query(
      `update email_configs set smtp_host = '127.0.0.1', smtp_port = $2, smtp_security = 'none' where id = $1`,
      [mailboxId, sink.port],
    )
    await rows.addMessage(mailboxId, people(120))
    const [node, ...parameters] = workerCommand
    await using worker = await startServerProcess({
      // No file of this process grows past 4 kB: every journal is full after some dozens of mails.
      command: ['bash', '-c', `trap '' XFSZ; ulimit -f 4; exec "$0" "$@"`, node, ...parameters],
      environment: {
        DATABASE_URL: test.url,
        DATA_DIR: join(folder.path, 'data'),
        SMTP_ALLOW: `127.0.0.1:${sink.port}`,
        LOG_LEVEL: 'warn',
      },
    })
    await expect.poll(() => rows.states(), { interval: 50 }).toEqual({ sent: 120 })
    expect(sink.recipients().sort()).toEqual(people(120).sort())
    expect(worker.printed().err).toMatch(/journal|EFBIG|interrupted/)
    expect(await worker.end('SIGTERM')).toBe(0)
  } finally {
    await database.close()
    await test.drop()
    await sink.close()
  }
}, 60_000)
