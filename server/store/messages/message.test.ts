import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMailRows, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createMessageStore, type MessageStore } from './message.ts'
import { createSuppressionStore } from '../suppressions/suppression.ts'
import { scopeOf } from '../../../tests/support/scope.ts'

let database: Database
let drop: () => Promise<void>
let store: MessageStore
let suppressions: ReturnType<typeof createSuppressionStore>
let rows: MailRows

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  const noVault = { seal: () => Buffer.alloc(0), open: () => '' }
  store = createMessageStore(database, noVault)
  suppressions = createSuppressionStore(database, randomUUID)
  rows = await createMailRows(database.pool)
})

afterAll(async () => {
  await database.close()
  await drop()
})

async function newMessage(given: Partial<NewMessage> = {}): Promise<NewMessage> {
  const mailboxId = given.mailboxId ?? (await rows.addMailbox())
  const texts = { fromAddress: 'ann@example.com', subject: 'Hi', content: 'x', isHtml: false, context: {} }
  return { id: randomUUID(), mailboxId, ...texts, sealContext: false, recipients: [], ...given }
}

const statesOf = async (messageId: string) =>
  (await rows.deliveries(messageId)).map(({ recipient, state }) => [recipient, state])

describe('accepting', () => {
  it('writes a row for each recipient, and counts the suppressed ones', async () => {
    await suppressions.add(scopeOf(rows.workspaceId), [{ email: 'c@x.com', reason: 'manual', campaignId: null }])
    const recipients = ['a@x.com', 'C@x.com', 'b@x.com']
    const message = await newMessage({ recipients, obeysSuppressions: true })
    expect(await store.accept(rows.scope, message)).toEqual({ suppressedCount: 1, undoUntil: null })
    expect(await store.findAccepted(rows.scope, message.id)).toEqual({ suppressedCount: 1, undoUntil: null })
    expect(await statesOf(message.id)).toEqual([
      ['a@x.com', 'queued'],
      ['C@x.com', 'suppressed'],
      ['b@x.com', 'queued'],
    ])
  })

  it('sends to suppressed addresses too if the recipient requested the mail', async () => {
    await suppressions.add(scopeOf(rows.workspaceId), [{ email: 'asked@x.com', reason: 'manual', campaignId: null }])
    const message = await newMessage({ recipients: ['asked@x.com'] })
    expect(await store.accept(rows.scope, message)).toEqual({ suppressedCount: 0, undoUntil: null })
    expect(await statesOf(message.id)).toEqual([['asked@x.com', 'queued']])
  })

  it('writes nothing if the mailbox has changed', async () => {
    const mailboxId = await rows.addMailbox()
    const { rows: found } = await database.pool.query<{ version: string }>(
      'select xmin::text as version from email_configs where id = $1',
      [mailboxId],
    )
    const version = { mailboxVersion: found[0]?.version ?? '' }
    expect(await store.accept(rows.scope, await newMessage({ mailboxId, ...version }))).toEqual({
      suppressedCount: 0,
      undoUntil: null,
    })
    await database.pool.query(`update email_configs set status = 'paused' where id = $1`, [mailboxId])
    const message = await newMessage({ mailboxId, ...version, recipients: ['a@x.com'] })
    expect(await store.accept(rows.scope, message)).toBeNull()
    expect(await statesOf(message.id)).toEqual([])
  })

  it('writes nothing if the mailbox was deleted', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.remove(mailboxId)
    const message = await newMessage({ mailboxId, recipients: ['a@x.com'] })
    expect(await store.accept(rows.scope, message)).toBeNull()
    expect(await statesOf(message.id)).toEqual([])
    expect(await store.findContents(rows.scope, [message.id])).toEqual([])
  })

  it('stores the headers and the campaign of a message for the sender', async () => {
    const campaignId = await rows.addCampaign('draft')
    const extraHeaders = [{ name: 'List-Unsubscribe', value: '<{{unsubscribe_url}}>' }]
    const message = await newMessage({ campaignId, extraHeaders })
    expect(await store.accept(rows.scope, message)).not.toBeNull()
    expect(await store.findContents(rows.scope, [message.id])).toMatchObject([
      { campaignId, extraHeaders, workspaceId: rows.workspaceId },
    ])
  })
})

describe('a stream of recipients', () => {
  it('is added to a message in order, each with its context and state', async () => {
    const campaignId = await rows.addCampaign('draft')
    const message = await newMessage({ campaignId })
    await store.accept(rows.scope, message)
    const add = (addresses: readonly string[], isSuppressed = false) =>
      store.addDeliveries(rows.scope, {
        messageId: message.id,
        recipients: addresses.map((address) => ({ address, context: { name: address }, isSuppressed })),
      })
    expect(await add(['a@x.com', 'b@x.com'])).toBe(2)
    expect(await add(['c@x.com'], true)).toBe(1)
    expect(await statesOf(message.id)).toEqual([
      ['a@x.com', 'queued'],
      ['b@x.com', 'queued'],
      ['c@x.com', 'suppressed'],
    ])
    const { rows: found } = await database.pool.query(
      'select distinct campaign_id as "campaignId", context->>\'name\' = recipient as "isOwn" from deliveries where message_id = $1',
      [message.id],
    )
    expect(found).toEqual([{ campaignId, isOwn: true }])
    await store.analyze()
  })

  it('adds nothing to a message that does not exist', async () => {
    expect(
      await store.addDeliveries(rows.scope, {
        messageId: randomUUID(),
        recipients: [{ address: 'a@x.com', context: null }],
      }),
    ).toBe(0)
  })
})
