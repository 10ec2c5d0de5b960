import { join } from 'node:path'
import { openDatabase, type Database } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createMailRows, type MailRows } from './mail-rows.ts'
import { createTestDatabase } from './postgres.ts'
import { startServerProcess, workerCommand, type ServerProcess } from './server-process.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from './smtp-sink.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Two worker processes on one database, and one mailbox whose mail server is a sink. */
export interface TwoWorkers extends AsyncDisposable {
  database: Database
  rows: MailRows
  sink: SmtpSink
  mailboxId: string
  workers: readonly ServerProcess[]
  /** Starts them; nothing is sent before. */
  start: () => Promise<void>
}

/** `limits`: columns of the mailbox, such as `limit_per_day`. */
export async function prepareTwoWorkers(script: SinkOptions, limits: Record<string, number>): Promise<TwoWorkers> {
  const undo = new AsyncDisposableStack()
  const folder = undo.use(await temporaryFolder())
  const test = await createTestDatabase()
  undo.defer(() => test.drop())
  const database = openDatabase(test.connection, () => {})
  undo.defer(() => database.close())
  const sink = await startSmtpSink(script)
  undo.defer(() => sink.close())
  await ensureDeliveryPartitions(database.pool)
  const rows = await createMailRows(database.pool)
  const mailboxId = await rows.addMailbox()
  await database.pool.query(
    `update email_configs set smtp_host = '127.0.0.1', smtp_port = $2, smtp_security = 'none' where id = $1`,
    [mailboxId, sink.port],
  )
  for (const [column, value] of Object.entries(limits)) {
    await database.pool.query(`update email_configs set ${column} = $2 where id = $1`, [mailboxId, value])
  }
  const workers: ServerProcess[] = []
  const start = async () => {
    for (const name of ['one', 'two']) {
      const worker = await startServerProcess({
        command: workerCommand,
        environment: {
          DATABASE_URL: test.url,
          DATA_DIR: join(folder.path, name),
          SECRET_KEY_FILE: join(folder.path, 'secret.key'),
          SMTP_ALLOW: `127.0.0.1:${sink.port}`,
          LOG_LEVEL: 'error',
        },
      })
      undo.use(worker)
      workers.push(worker)
    }
  }
  return {
    database,
    rows,
    sink,
    mailboxId,
    workers,
    start,
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  }
}
