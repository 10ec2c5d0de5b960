import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { messageIdOf } from '../../server/domain/messages/message-id.ts'
import { openDatabase } from '../../server/store/core/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/messages/delivery-partitions.ts'
import { createMailboxStore } from '../../server/store/mailboxes/mailbox.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { reply, report } from '../support/inbox/incoming.ts'
import { startScriptedImap } from '../support/inbox/scripted-imap.ts'
import { createMailRows } from '../support/mail-rows.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startServerProcess, workerCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const recipientCount = 240
const killCount = 3

it('READING-22 READING-23 after kill -9 while a batch is read, each bounce and reply of it stands in the product exactly once; with two processes running, the IMAP server sees one connection of a mailbox', async () => {
  await using undo = new AsyncDisposableStack()
  const folder = undo.use(await temporaryFolder())
  const imap = await startScriptedImap()
  undo.defer(() => imap.close())
  const test = await createTestDatabase()
  undo.defer(() => test.drop())
  const database = openDatabase(test.connection, () => {})
  undo.defer(() => database.close())
  const { pool } = database
  await ensureDeliveryPartitions(pool)
  const vault = await openVault(pool, join(folder.path, 'secret.key'))
  const rows = await createMailRows(pool)
  const { id: mailboxId } = await createMailboxStore(database, vault, () => new Date()).save(rows.scope, {
    id: randomUUID(),
    emailAddress: 'studio@example.com',
    provider: 'other',
    server: { host: '127.0.0.1', port: 587, security: 'none' },
    appPassword: 'app password',
    tokens: null,
    secretKey: `ck_${randomUUID()}`,
  })
  const emails = Array.from({ length: recipientCount }, (_, at) => `person${at}@example.org`)
  const messageId = await rows.addMessage(mailboxId, emails)
  const { rows: deliveries } = await pool.query<{ id: number; recipient: string }>(
    `update deliveries set state = 'sent', settled_at = now() where message_id = $1 returning id, recipient`,
    [messageId],
  )
  await pool.query(
    `update email_configs set is_reading = true, reading_since = now(), reading_state = 'starting', imap_host = '127.0.0.1',
       imap_port = $2, imap_security = 'none' where id = $1`,
    [mailboxId, imap.port],
  )
  const start = (name: string) =>
    startServerProcess({
      command: workerCommand,
      environment: {
        DATABASE_URL: test.url,
        DATA_DIR: join(folder.path, name),
        SECRET_KEY_FILE: join(folder.path, 'secret.key'),
        IMAP_ALLOW: `127.0.0.1:${imap.port}`,
        LOG_LEVEL: 'error',
      },
    })
  const workers = new Map<string, Awaited<ReturnType<typeof start>>>()
  undo.defer(async () => {
    await Promise.all([...workers.values()].map((worker) => worker.end('SIGKILL')))
  })
  for (const name of ['one', 'two']) workers.set(name, await start(name))
  await pool.query('insert into mailbox_readers (workspace_id, config_id) values ($1, $2)', [
    rows.workspaceId,
    mailboxId,
  ])
  await expect.poll(() => imap.openCount).toBe(1)
  await expect.poll(() => imap.commands().has('IDLE')).toBe(true)

  // The processes are killed in the middle of a batch; other ones take over when the lease is over.
  let untilKill = 3
  let hit = Promise.withResolvers<null>()
  imap.fault = (line) => {
    if (!/FETCH .*BODY\.PEEK\[\]/.test(line) || untilKill === 0) return false
    untilKill -= 1
    if (untilKill > 0) return false
    hit.resolve(null)
    return true
  }
  for (const { id, recipient } of deliveries) {
    const fromAddress = 'ann@example.com'
    const left = {
      recipient,
      subject: 'Doors',
      messageId: messageIdOf(vault.linkKeys[0], { messageId, id, fromAddress }),
    }
    imap.store.append('INBOX', id % 2 === 0 ? reply(left) : report(left), new Date())
  }
  for (let kill = 1; kill <= killCount; kill++) {
    await hit.promise
    await Promise.all([...workers.values()].map((worker) => worker.end('SIGKILL')))
    await pool.query('update mailbox_readers set lease_until = now()')
    if (kill < killCount) [hit, untilKill] = [Promise.withResolvers(), 4 + kill]
    for (const name of ['one', 'two']) workers.set(name, await start(name))
  }
  const countsOf = async () => {
    const { rows: counted } = await pool.query<{ kind: number; n: number; people: number }>(
      `select kind, count(*)::int as n, count(distinct delivery_id)::int as people from events
       where workspace_id = $1 and kind in (3, 5) group by kind order by kind`,
      [rows.workspaceId],
    )
    return counted.map(({ kind, n, people }) => `${kind}: ${n} of ${people}`)
  }
  const half = recipientCount / 2
  await expect.poll(countsOf, { timeout: 90_000 }).toEqual([`3: ${half} of ${half}`, `5: ${half} of ${half}`])
  const { rows: mails } = await pool.query<{ n: number }>('select count(*)::int as n from inbox_mails')
  expect(mails[0]!.n).toBe(recipientCount)
  const { rows: addresses } = await pool.query<{ n: number }>('select count(*)::int as n from suppressions')
  expect(addresses[0]!.n).toBe(half)
  expect(imap.peakCount).toBe(1)
})
