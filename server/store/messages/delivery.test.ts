import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMailRows, emptyTables, type MailRows } from '../../../tests/support/mail-rows.ts'
import { createTestDatabase } from '../../../tests/support/postgres.ts'
import type { Claim, ClaimedDelivery, DeliveryOutcome } from '../../domain/messages/delivery.ts'
import { openDatabase, type Database } from '../core/database.ts'
import { ensureDeliveryPartitions } from './delivery-partitions.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import { createDeliveryStore, type DeliveryStore } from './delivery.ts'
import { systemScope } from '../../../tests/support/scope.ts'
import type { DeliveryQueue } from '../../../tests/support/test-sender.ts'
import { bindScope } from '../../domain/auth/scope.ts'

let database: Database
let drop: () => Promise<void>
let store: DeliveryStore
let queue: DeliveryQueue
let rows: MailRows

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
  store = createDeliveryStore(database.pool)
  queue = bindScope(createDeliveryQueue(database.pool), systemScope)
})

afterAll(async () => {
  await database.close()
  await drop()
})

beforeEach(async () => {
  await emptyTables(database.pool)
  rows = await createMailRows(database.pool)
})

const people = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)
const claim = (mailboxId: string, limit: number, token: string = randomUUID()): Claim => ({
  workspaceId: rows.workspaceId,
  mailboxId,
  owner: randomUUID(),
  token,
  limit,
  limits: { perMinuteCount: null, perDayCount: null },
  isLimited: false,
})

const settlement = (
  { workspaceId, month, id }: ClaimedDelivery,
  token: string,
  state: DeliveryOutcome['state'],
  given: Partial<DeliveryOutcome> = {},
): DeliveryOutcome => ({
  workspaceId,
  month,
  id,
  token,
  state,
  reply: '250 OK',
  isAttempt: true,
  isCounted: true,
  delayMs: 0,
  ...given,
})

describe('ending pending deliveries', () => {
  it('cancels the pending deliveries of a mailbox, not those being sent', async () => {
    const [mailboxId, other] = [await rows.addMailbox(), await rows.addMailbox()]
    await rows.addMessage(mailboxId, people(3))
    await rows.addMessage(other, people(1))
    await queue.writeOutcomesAndClaim([], claim(mailboxId, 1))
    expect(await store.cancelUnsent(rows.scope, mailboxId)).toBe(2)
    expect(await rows.states()).toEqual({ cancelled: 2, sending: 1, queued: 1 })
  })

  it('cancels deliveries that return to the queue after their mailbox was deleted', async () => {
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, people(2))
    await rows.remove(mailboxId)
    expect(await queue.cancelOrphans()).toBe(2)
    expect(await queue.cancelOrphans()).toBe(0)
  })

  it('fails the pending deliveries of one message', async () => {
    const mailboxId = await rows.addMailbox()
    const [messageId, other] = [
      await rows.addMessage(mailboxId, people(2)),
      await rows.addMessage(mailboxId, people(1)),
    ]
    expect(await store.failUnsent(rows.scope, messageId, 'Refused')).toBe(2)
    expect((await rows.deliveries(messageId)).map(({ state, reply }) => [state, reply])).toEqual([
      ['failed', 'Refused'],
      ['failed', 'Refused'],
    ])
    expect(await rows.deliveries(other)).toMatchObject([{ state: 'queued' }])
  })
})

describe('results of a message', () => {
  it('counts its deliveries and gives the last refusal', async () => {
    const mailboxId = await rows.addMailbox()
    const messageId = await rows.addMessage(mailboxId, people(6))
    const token = randomUUID()
    const { rows: claimed } = await queue.writeOutcomesAndClaim([], claim(mailboxId, 5, token))
    await queue.writeOutcomes([
      settlement(claimed[0]!, token, 'sent'),
      settlement(claimed[1]!, token, 'deferred', { delayMs: 60_000 }),
      settlement(claimed[2]!, token, 'failed', { reply: '550 First' }),
    ])
    await queue.writeOutcomes([settlement(claimed[3]!, token, 'failed', { reply: '550 Last' })])
    expect(await store.readResults(rows.scope, messageId)).toEqual({
      queuedCount: 1,
      sendingCount: 1,
      takenCount: 2,
      failedCount: 2,
      failureReply: '550 Last',
      pauseReason: null,
    })
  })

  it('reports a pause until the owner acts, not a temporary one', async () => {
    const mailboxId = await rows.addMailbox()
    const messageId = await rows.addMessage(mailboxId, people(1))
    await rows.pause(mailboxId, 'Limit', 60_000)
    expect(await store.readResults(rows.scope, messageId)).toMatchObject({ pauseReason: null, queuedCount: 1 })
    await rows.pause(mailboxId, 'Refused', null)
    expect(await store.readResults(rows.scope, messageId)).toMatchObject({ pauseReason: 'Refused' })
    expect(await store.readResults(rows.scope, randomUUID())).toBeNull()
  })
})
