import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { openDatabase, type Connection, type Database } from '../core/database.ts'
import { erasedHashSql, erasedRecipient } from '../suppressions/erased-address.sql.ts'
import { ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createMessageStore, type MessageStore } from './message.ts'

let connection: Connection
let database: Database
let drop: () => Promise<void>
let store: MessageStore
let rows: MailRows
let mailboxId: string

beforeAll(async () => {
  const test = await createTestDatabase()
  ;({ connection, drop } = test)
  database = openDatabase(connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  const vault = {
    seal: (text: string) => Buffer.from(text).reverse(),
    open: (sealed: Buffer) => String(sealed.reverse()),
  }
  store = createMessageStore(database, vault)
})

afterAll(async () => {
  await database.close()
  await drop()
})

beforeEach(async () => {
  await database.pool.query('truncate workspaces, email_configs, messages, deliveries cascade')
  rows = await createMailRows(database.pool)
  mailboxId = await rows.addMailbox()
})

const newMessage = (given: Partial<NewMessage> = {}): NewMessage => ({
  id: randomUUID(),
  mailboxId,
  fromAddress: 'ann@example.com',
  subject: 'Hi',
  content: '<p>{"quotes"}, \\ and {braces}</p>',
  isHtml: true,
  context: {},
  sealContext: false,
  recipients: ['ben@example.com'],
  ...given,
})

const countRows = async (table: string) =>
  (await database.pool.query<{ count: number }>(`select count(*) from ${table}`)).rows[0]?.count

describe('accepting many messages at once', () => {
  it('writes each with its content, context and recipients in order', async () => {
    const messages = Array.from({ length: 450 }, (_, at) =>
      newMessage({
        subject: `Number ${at}`,
        context: { at, quote: '"{}\\' },
        sealContext: at % 2 === 1,
        recipients: [`z${at}@example.com`, `a${at}@example.com`],
      }),
    )
    expect(await Promise.all(messages.map((message) => store.accept(rows.scope, message)))).toEqual(
      messages.map(() => ({ suppressedCount: 0, undoUntil: null })),
    )
    for (const message of [messages[0], messages[201], messages[449]]) {
      const [content] = await store.findContents(rows.scope, [message?.id ?? ''])
      expect(content).toMatchObject({ subject: message?.subject, content: message?.content, context: message?.context })
      const recipients = (await rows.deliveries(message?.id)).map(({ recipient }) => recipient)
      expect(recipients).toEqual(message?.recipients)
    }
  })

  it('shares transactions among concurrent messages', async () => {
    const before = await countTransactions()
    await Promise.all(Array.from({ length: 200 }, () => store.accept(rows.scope, newMessage())))
    expect(await countRows('messages')).toBe(200)
    expect((await countTransactions()) - before).toBeLessThan(20)
  })

  it('is planned once for calls that arrive one by one', async () => {
    const own = openDatabase(connection, () => {}) // The plans of a connection depend on its earlier statements.
    const client = await own.pool.connect()
    try {
      // PostgreSQL plans each of the first five executions, then compares the costs.
      for (let count = 0; count < 7; count += 1) await store.accept(rows.scope, newMessage(), client)
      const { rows: plans } = await client.query(
        `select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
         where name = 'accept-messages'`,
      )
      expect(plans).toEqual([{ generic: 2, custom: 5 }])
    } finally {
      client.release()
      await own.close()
    }
  })

  it('does not write to an address that was erased in its workspace', async () => {
    const other = await createMailRows(database.pool)
    const otherMailboxId = await other.addMailbox()
    await database.pool.query(
      `insert into erased_addresses (workspace_id, address_hash, reason, at)
       select w.id, ${erasedHashSql("'ben@example.com'")}, 'request', now() from workspaces w where w.id = $1`,
      [rows.workspaceId],
    )
    const message = newMessage({ recipients: ['Ben@example.com', 'eve@example.com'], obeysSuppressions: true })
    const others = newMessage({ mailboxId: otherMailboxId, obeysSuppressions: true })
    const answers = await Promise.all([store.accept(rows.scope, message), store.accept(other.scope, others)])
    expect(answers.map((answer) => answer?.suppressedCount)).toEqual([1, 0])
    const kept = (await rows.deliveries(message.id)).map(({ recipient, state }) => [recipient, state])
    expect(kept).toEqual([
      [erasedRecipient, 'suppressed'],
      ['eve@example.com', 'queued'],
    ])
  })

  it('keeps the addresses of copies, whatever characters they have', async () => {
    const cc = [String.raw`"a\"b,{c}"@example.com`, 'null@example.com']
    const bcc = ['{}@example.com']
    const message = newMessage({ recipients: [...cc, ...bcc, 'ben@example.com'], options: { cc, bcc } })
    await store.accept(rows.scope, message)
    const { rows: kept } = await database.pool.query(
      'select cc, bcc from messages where workspace_id = $1 and id = $2',
      [rows.workspaceId, message.id],
    )
    expect(kept).toEqual([{ cc, bcc }])
  })

  it('refuses the one whose mailbox was deleted, and accepts the others', async () => {
    const goneId = await rows.addMailbox()
    await rows.remove(goneId)
    const calls = [newMessage(), newMessage({ mailboxId: goneId }), newMessage()]
    const accepted = { suppressedCount: 0, undoUntil: null }
    expect(await Promise.all(calls.map((message) => store.accept(rows.scope, message)))).toEqual([
      accepted,
      null,
      accepted,
    ])
    expect(await countRows('deliveries')).toBe(2)
  })

  it('writes nothing for a workspace that is being deleted', async () => {
    const deleting = await database.pool.connect()
    await deleting.query('begin')
    await deleting.query('select from email_configs where workspace_id = $1 for update', [rows.workspaceId])
    const answer = store.accept(rows.scope, newMessage())
    await expect.poll(isSomebodyWaiting).toBe(true)
    await deleting.query('delete from workspaces where id = $1', [rows.workspaceId])
    await deleting.query('commit')
    deleting.release()
    expect([await answer, await countRows('messages'), await countRows('deliveries')]).toEqual([null, 0, 0])
  })

  it('fails the one that the database refuses, and accepts the others', async () => {
    const calls = [newMessage(), newMessage({ subject: 'no\u0000text' }), newMessage()]
    const answers = await Promise.allSettled(calls.map((message) => store.accept(rows.scope, message)))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await countRows('deliveries')).toBe(2)
  })

  it('accepts messages whose bodies together exceed the limit of one run', async () => {
    const content = 'x'.repeat(900_000)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => store.accept(rows.scope, newMessage({ content }))),
    )
    expect(answers.filter(Boolean)).toHaveLength(12)
    expect(await countRows('messages')).toBe(12)
  })
})

/** Whether a statement waits for a row lock. */
async function isSomebodyWaiting(): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount === 1
}

/** Number of writing transactions. */
async function countTransactions(): Promise<number> {
  const { rows: found } = await database.pool.query<{ xid: number }>('select pg_current_xact_id()::text::bigint as xid')
  return found[0]?.xid ?? 0
}
