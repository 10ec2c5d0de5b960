import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSuppressionStore } from '../../server/store/suppressions/suppression.ts'
import { returnOnce, makeAddresses, useSending, wait } from '../support/sending.ts'
import { testLimits, testMailbox } from '../support/test-sender.ts'
import { scopeOf, systemScope } from '../support/scope.ts'

const sending = useSending()

const stateOf = async (mailboxId: string) =>
  (
    await sending.database.pool.query<{ state: string }>('select state from deliveries where config_id = $1', [
      mailboxId,
    ])
  ).rows[0]?.state

describe('the sender', () => {
  it('API-EMAIL-22 sends each recipient a separate mail, and stores the server’s reply', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(30), {
      subject: 'Hi {{name | default: "you"}}',
      content: '<p>Hello {{name}}</p>',
      context: { name: 'Bob' },
    })
    await sending.database.pool.query(
      `update deliveries set context = '{"name": "Eve"}' where recipient = 'person7@example.com'`,
    )
    sending.start(sink.port)
    await sending.untilStates({ sent: 30 })
    expect(sink.recipients().sort()).toEqual(makeAddresses(30).sort())
    expect(sink.mails.every(({ from, to }) => from === 'ann@example.com' && to.length === 1)).toBe(true)
    const mails = await sink.parsed()
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(30)
    const texts = new Map(mails.map((mail, at) => [sink.mails[at]?.to[0], [mail.subject, mail.text?.trim()]]))
    expect(texts.get('person7@example.com')).toEqual(['Hi Eve', 'Hello Eve'])
    expect(texts.get('person8@example.com')).toEqual(['Hi Bob', 'Hello Bob'])
    const facts = await sending.rows.deliveries()
    expect(facts.every(({ attempts, reply }) => attempts === 1 && reply === '250 2.0.0 Taken')).toBe(true)
  })

  it('is ready once it claims, and sends at once after a notification', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    const sender = sending.start(sink.port)
    expect(sender.isReady()).toBe(false)
    await expect.poll(() => sender.isReady(), wait).toBe(true)
    for (const wake of [() => sender.wake(sending.rows.keyOf(mailboxId)), () => sender.wake(), () => {}]) {
      await sending.rows.addMessage(mailboxId, makeAddresses(1))
      wake()
      await sink.waitFor(sink.mails.length + 1)
    }
    await sender.stop()
    expect(sender.isReady()).toBe(false)
  })

  it('uses as many connections as the mailbox allows', async () => {
    const sink = await sending.sinkWith({ onMessage: () => sleep(20) })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(40))
    sending.start(testMailbox(sink.port, { limits: { ...testLimits, connectionCount: 2 } }))
    await sending.untilStates({ sent: 40 })
    expect([sink.connectionCount, sink.peakConnectionCount]).toEqual([2, 2])
  })

  it('sends at most the allowed number of messages over each connection', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(20))
    sending.start(testMailbox(sink.port, { limits: { ...testLimits, messagesPerConnectionCount: 4 } }))
    await sending.untilStates({ sent: 20 })
    const perConnection = Map.groupBy(sink.mails, ({ connection }) => connection)
    expect(Math.max(...[...perConnection.values()].map((mails) => mails.length))).toBeLessThanOrEqual(4)
    expect(sink.recipients().sort()).toEqual(makeAddresses(20).sort())
  })

  it('does not let a slow mailbox delay another', async () => {
    const slow = await sending.sinkWith({ onMessage: () => new Promise(() => {}) })
    const fast = await sending.sinkWith()
    const [slowId, fastId] = [await sending.rows.addMailbox(), await sending.rows.addMailbox()]
    await sending.rows.addMessage(slowId, makeAddresses(10))
    await sending.rows.addMessage(fastId, makeAddresses(10))
    sending.start((mailboxId) => (mailboxId === slowId ? slow.port : fast.port))
    await fast.waitFor(10)
    expect(fast.mails).toHaveLength(10)
  })

  it('serves more mailboxes than its worker limit in turn: a busy one yields, and resumes', async () => {
    const sink = await sending.sinkWith({
      onMessage: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 5)),
    })
    const [busy, ...others] = await Promise.all(Array.from({ length: 4 }, () => sending.rows.addMailbox()))
    const messageId = await sending.rows.addMessage(busy ?? '', makeAddresses(1000))
    const sender = sending.start(sink.port, { workersMaxCount: 1 })
    await sink.waitFor(1)
    for (const mailboxId of others) await sending.rows.addMessage(mailboxId, makeAddresses(1))
    sender.wake()
    sender.skipMs(6000)
    const isServed = async () => {
      const states = await Promise.all(others.map((mailboxId) => stateOf(mailboxId)))
      return states.every((state) => state === 'sent')
    }
    await expect.poll(isServed, wait).toBe(true)
    const left = await sending.rows.deliveries(messageId)
    expect(left.some(({ state }) => state === 'queued' || state === 'sending')).toBe(true)
    await expect.poll(() => sending.rows.states(), { interval: 50 }).toEqual({ sent: 1003 })
  })

  it('fails a message that cannot be built, without its content in the log', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(1), { content: 'Hi {{secret words}}' })
    const sender = sending.start(sink.port)
    await sending.untilStates({ failed: 1 })
    expect(await sending.rows.deliveries()).toMatchObject([{ reply: 'The mail could not be built from its message' }])
    expect(sender.logged()).not.toContain('secret words')
  })

  it('H57 logs no address, no password and no body, on any error', async () => {
    const sink = await sending.sinkWith({
      onRecipient: (address) => (address.startsWith('person1') ? `550 5.1.1 No ${address}` : undefined),
      onMessage: (mail) => (mail.to[0]?.startsWith('person2') ? 'cut' : undefined),
      onLogin: returnOnce('535 5.7.8 hunter22 is wrong for ann@example.com' as const),
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(4), { content: 'canary body' })
    const sender = sending.start(sink.port)
    await expect.poll(async () => (await sending.mailboxOf(mailboxId))?.status, wait).toBe('paused')
    await sending.untilStates({ queued: 4 })
    await sending.database.pool.query(`update email_configs set status = 'active'`)
    await sending.untilStates({ sent: 2, failed: 1, unknown: 1 })
    await sender.stop()
    expect(sender.logged()).not.toMatch(/person|ann@|hunter22|canary/)
  })
})

describe('a refusal', () => {
  it('that is temporary is retried after a minute, without delaying the others', async () => {
    let isBusy = true
    const sink = await sending.sinkWith({
      onRecipient: (address) => (isBusy && address.startsWith('person1@') ? '450 4.2.1 Busy' : undefined),
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(3))
    sending.start(sink.port)
    await sending.untilStates({ sent: 2, deferred: 1 })
    const [, deferred] = await sending.rows.deliveries()
    expect(deferred).toMatchObject({ state: 'deferred', attempts: 1, reply: '450 4.2.1 Busy', settledAt: null })
    expect(deferred?.dueInMs).toBeGreaterThan(50_000)
    expect(deferred?.dueInMs).toBeLessThan(61_000)
    isBusy = false
    await sending.database.pool.query('update deliveries set next_attempt_at = now()')
    await sending.untilStates({ sent: 3 })
    expect((await sending.rows.deliveries())[1]).toMatchObject({ attempts: 2 })
    const ids = (await sink.parsed()).map(({ messageId }) => messageId)
    expect(new Set(ids).size).toBe(3)
  })

  it('that is permanent fails that recipient only', async () => {
    const sink = await sending.sinkWith({
      onRecipient: (address) => (address.startsWith('person1@') ? '550 5.1.1 No such user' : undefined),
      onMessage: (mail) => (mail.to[0]?.startsWith('person2@') ? '554 5.7.1 Spam' : undefined),
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(4))
    sending.start(sink.port)
    await sending.untilStates({ sent: 2, failed: 2 })
    expect((await sending.rows.deliveries()).map(({ reply }) => reply)).toEqual([
      '250 2.0.0 Taken',
      '550 5.1.1 No such user',
      '554 5.7.1 Spam',
      '250 2.0.0 Taken',
    ])
  })

  it('of the credentials pauses the mailbox and releases its deliveries unchanged', async () => {
    let isRefusing = true
    const sink = await sending.sinkWith({ onLogin: () => (isRefusing ? '535 5.7.8 Bad credentials' : undefined) })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(20))
    sending.start(testMailbox(sink.port, { provider: 'gmail' }))
    await expect.poll(async () => (await sending.mailboxOf(mailboxId))?.status, wait).toBe('paused')
    expect(await sending.mailboxOf(mailboxId)).toMatchObject({
      until: null,
      reason: expect.stringMatching(/app password/) as string,
    })
    await sending.untilStates({ queued: 20 })
    expect((await sending.rows.deliveries()).every(({ attempts, reply }) => attempts === 0 && reply === null)).toBe(
      true,
    )
    expect(sink.mails).toHaveLength(0)
    const logins = sink.logins.length
    isRefusing = false
    await sending.database.pool.query(`update email_configs set status = 'active', pause_reason = null`)
    await sending.untilStates({ sent: 20 })
    expect(logins).toBe(1)
  })

  it('for a daily limit pauses the mailbox for hours, and releases the refused message unchanged', async () => {
    const sink = await sending.sinkWith({
      onMessage: returnOnce('550 5.4.5 Daily user sending limit exceeded' as const),
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(1))
    sending.start(sink.port)
    const until = async () => (await sending.mailboxOf(mailboxId))?.until
    await expect.poll(until, wait).toBeTruthy()
    await sending.untilStates({ queued: 1 })
    expect(((await until())?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3.9 * 3_600_000)
    expect(await sending.rows.deliveries()).toMatchObject([{ attempts: 0, reply: null }])
    await sending.database.pool.query('update email_configs set paused_until = now()')
    await sending.untilStates({ sent: 1 })
    expect(sink.mails).toHaveLength(1)
  })
})

describe('suppressed addresses', () => {
  it('H38 are skipped at the last moment, and shown as suppressed', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(4))
    const requested: string[] = []
    sending.start(sink.port, {
      suppressions: {
        add: () => Promise.resolve(),
        listChanged: () => Promise.resolve([]),
        find: (mailbox, addresses) => {
          requested.push(mailbox.mailboxId)
          return Promise.resolve(new Set(addresses.filter((address) => address.startsWith('person2@'))))
        },
      },
    })
    await sending.untilStates({ sent: 3, suppressed: 1 })
    expect(sink.recipients()).not.toContain('person2@example.com')
    expect((await sending.rows.deliveries())[2]).toMatchObject({ state: 'suppressed', attempts: 0, reply: null })
    expect(new Set(requested)).toEqual(new Set([mailboxId]))
  })

  it('H38 H55 receive nothing of a claimed batch after they unsubscribe', async () => {
    const sink = await sending.sinkWith({ onMessage: () => sleep(15) })
    const { database, rows } = sending
    const suppressions = createSuppressionStore(database, randomUUID)
    const mailboxId = await rows.addMailbox()
    await rows.addMessage(mailboxId, makeAddresses(200))
    sending.start(testMailbox(sink.port, { limits: { ...testLimits, connectionCount: 1 } }), {
      suppressions: {
        find: ({ mailboxId }, addresses) => suppressions.find(rows.scope, mailboxId, addresses),
        listChanged: (mailboxes) => suppressions.listChanged(systemScope, mailboxes),
        add: () => Promise.resolve(),
      },
    })
    await sink.waitFor(5)
    const { rows: inHand } = await database.pool.query<{ recipient: string }>(
      `select recipient from deliveries where state = 'sending' order by id desc limit 1`,
    )
    const [{ recipient: left } = { recipient: '' }] = inHand
    expect(sink.recipients()).not.toContain(left)
    await suppressions.add(scopeOf(rows.workspaceId), [{ email: left, reason: 'unsubscribed' }])
    await expect.poll(async () => (await rows.states()).suppressed, wait).toBe(1)
    await sending.untilStates({ sent: 199, suppressed: 1 })
    expect(sink.recipients()).not.toContain(left)
  })

  it('are never assumed: while the list cannot be read, nothing is sent', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(2))
    let isAway = true
    const sender = sending.start(sink.port, {
      suppressions: {
        add: () => Promise.resolve(),
        listChanged: () => Promise.resolve([]),
        find: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(new Set())),
      },
    })
    await expect.poll(() => sender.logged(), wait).toContain('Sending was interrupted')
    expect(sink.mails).toHaveLength(0)
    isAway = false
    sender.skipMs(60_000)
    await sending.untilStates({ sent: 2 })
    expect((await sending.rows.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1])
  })
})

describe('deliveries of campaigns', () => {
  it('are sent only while the campaign is in the state sending', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    const campaignId = await sending.rows.addCampaign('scheduled')
    await sending.rows.addMessage(mailboxId, makeAddresses(3), { campaignId })
    await sending.rows.addMessage(mailboxId, makeAddresses(1))
    sending.start(sink.port)
    await sending.untilStates({ queued: 3, sent: 1 })
    await sending.rows.setCampaign(campaignId, 'sending')
    await sending.untilStates({ sent: 4 })
  })
})
