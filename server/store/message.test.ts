import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMailRows, type MailRows } from '../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../tests/support/postgres.ts'
import type { NewMessage } from '../domain/message.ts'
import { openDatabase, type Database } from './database.ts'
import { ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createMessageStore, type MessageStore } from './message.ts'

let database: Database
let drop: () => Promise<void>
let store: MessageStore
let rows: MailRows

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  const noVault = { seal: () => Buffer.alloc(0), open: () => '' }
  store = createMessageStore(database, noVault)
  rows = await createMailRows(database.pool)
})

afterAll(async () => {
  await database.close()
  await drop()
})

async function newMessage(given: Partial<NewMessage> = {}): Promise<NewMessage> {
  const { workspaceId } = rows
  const configId = given.configId ?? (await rows.addMailbox())
  const texts = { fromAddress: 'ann@example.com', subject: 'Hi', content: 'x', isHtml: false, context: {} }
  return { id: randomUUID(), workspaceId, configId, ...texts, sealContext: false, recipients: [], ...given }
}

const statesOf = async (messageId: string) =>
  (await rows.deliveries(messageId)).map(({ recipient, state }) => [recipient, state])

describe('accepting', () => {
  it('writes a row for each recipient, and for those that must not be written to', async () => {
    const message = await newMessage({ recipients: ['a@x.com', 'b@x.com'], suppressedRecipients: ['c@x.com'] })
    expect(await store.accept(message)).toBe(true)
    expect(await statesOf(message.id)).toEqual([
      ['a@x.com', 'queued'],
      ['b@x.com', 'queued'],
      ['c@x.com', 'suppressed'],
    ])
  })

  it('writes nothing where the mailbox is gone', async () => {
    const configId = await rows.addMailbox()
    await rows.remove(configId)
    const message = await newMessage({ configId, recipients: ['a@x.com'] })
    expect(await store.accept(message)).toBe(false)
    expect(await statesOf(message.id)).toEqual([])
    expect(await store.findContents([message.id])).toEqual([])
  })

  it('keeps the headers and the campaign of a message, and gives them to the sender', async () => {
    const campaignId = await rows.addCampaign('draft')
    const extraHeaders = [{ name: 'List-Unsubscribe', value: '<{{unsubscribe_url}}>' }]
    const message = await newMessage({ campaignId, extraHeaders })
    expect(await store.accept(message)).toBe(true)
    expect(await store.findContents([message.id])).toMatchObject([
      { campaignId, extraHeaders, workspaceId: rows.workspaceId },
    ])
  })
})

describe('a stream of recipients', () => {
  it('is added to a message in its order, each with its own context and state', async () => {
    const campaignId = await rows.addCampaign('draft')
    const message = await newMessage({ campaignId })
    await store.accept(message)
    const add = (addresses: readonly string[], isSuppressed = false) =>
      store.addDeliveries({
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
      await store.addDeliveries({ messageId: randomUUID(), recipients: [{ address: 'a@x.com', context: null }] }),
    ).toBe(0)
  })
})
