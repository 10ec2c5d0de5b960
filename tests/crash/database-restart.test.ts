import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockDataFolder } from '../../server/postgres/data-folder-lock.ts'
import { openDatabase } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { startEmbeddedPostgres } from '../../server/postgres/start.ts'
import { migrate } from '../../server/store/core/migrate.ts'
import { createMailRows } from '../support/mail-rows.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestSender } from '../support/test-sender.ts'
import { soakSize, printInSoak } from '../support/soak.ts'

const recipientCount = soakSize(600, 100_000)
const restartCount = soakSize(3, 5)

it(
  'a database that is killed and restarted during a send loses and repeats nothing',
  async () => {
    await using folder = await temporaryFolder()
    const lock = await lockDataFolder(join(folder.path, 'postgres'))
    const log = { info: () => undefined, warn: () => undefined }
    // With fsync, as in production: committed data survives a crash.
    const start = () => startEmbeddedPostgres({ folder: lock, log })
    let postgres = await start()
    const database = openDatabase(postgres.connection, () => undefined)
    const sink = await startSmtpSink({ onMessage: () => new Promise((resolve) => setTimeout(resolve, 4)) })
    await mkdir(join(folder.path, 'sender'))
    let stop: (graceMs?: number) => Promise<void> = () => Promise.resolve()
    try {
      await migrate(database.pool)
      await ensureDeliveryPartitions(database.pool)
      const rows = await createMailRows(database.pool)
      const mailboxId = await rows.addMailbox()
      const recipients = Array.from({ length: recipientCount }, (_, at) => `person${at}@example.com`)
      await rows.addMessage(mailboxId, recipients)
      const sender = createTestSender({ database, rows, folder: join(folder.path, 'sender'), mailbox: () => sink.port })
      stop = (graceMs) => sender.stop(graceMs)
      sender.start()
      for (let restart = 1; restart <= restartCount; restart++) {
        await sink.waitFor(Math.floor((restart * recipientCount) / (restartCount + 2)))
        process.kill(postgres.pid, 'SIGKILL')
        postgres = await start()
        // Its workers back off after failures; advance the clock.
        sender.skipMs(60_000)
        sender.wake()
      }
      const timeout = soakSize(30_000, 900_000)
      await expect.poll(() => rows.states(), { timeout, interval: 50 }).toEqual({ sent: recipientCount })
      printInSoak(`${recipientCount} recipients, database killed ${restartCount} times: ${sink.mails.length} mails`)
      expect(sink.recipients().sort()).toEqual(recipients.sort())
      await sender.stop()
    } finally {
      await stop(0)
      await sink.close()
      await database.close()
      await postgres.stop()
      await lock.release()
    }
  },
  soakSize(90_000, 1_200_000),
)
