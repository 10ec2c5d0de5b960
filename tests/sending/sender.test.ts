import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import type { SenderMailbox, SenderPorts } from '../../server/mailer/sender-ports.ts'
import { openDatabase, type Database } from '../../server/store/database.ts'
import { ensureDeliveryPartitions } from '../../server/store/delivery-partitions.ts'
import { createMailRows, type MailRows } from '../support/mail-rows.ts'
import { createTestDatabase } from '../support/postgres.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from '../support/smtp-sink.ts'
import { createTestSender, testLimits, testMailbox, type TestSender } from '../support/test-sender.ts'

let database: Database
let drop: () => Promise<void>
let rows: MailRows
let folder: string
const undo: (() => unknown)[] = []

beforeAll(async () => {
  const test = await createTestDatabase()
  drop = test.drop
  database = openDatabase(test.connection, () => {})
  await ensureDeliveryPartitions(database.pool)
})

afterAll(async () => {
  await database.close()
  await drop()
})

beforeEach(async () => {
  await database.pool.query('truncate workspaces, email_configs, messages, deliveries cascade')
  rows = await createMailRows(database.pool)
  folder = await mkdtemp(join(tmpdir(), 'sendwright-sender-'))
  undo.push(() => rm(folder, { recursive: true }))
})

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function sinkWith(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options)
  undo.push(() => sink.close())
  return sink
}

type MailboxOf = number | SenderMailbox | null

function start(mailbox: MailboxOf | ((configId: string) => MailboxOf), ports: Partial<SenderPorts> = {}): TestSender {
  const find = typeof mailbox === 'function' ? mailbox : () => mailbox
  const sender = createTestSender({ database, rows, folder, mailbox: find, ports })
  sender.start()
  undo.push(() => sender.stop(0))
  return sender
}

const people = (count: number) => Array.from({ length: count }, (_, at) => `person${at}@example.com`)
const stateOf = async (configId: string) =>
  (await database.pool.query<{ state: string }>('select state from deliveries where config_id = $1', [configId]))
    .rows[0]?.state
const statesOf = async (messageId?: string) => (await rows.deliveries(messageId)).map(({ state }) => state)
const untilStates = (expected: Record<string, number>) => expect.poll(() => rows.states(), wait).toEqual(expected)
const wait = { timeout: 10_000, interval: 20 }
const once = <A>(answer: A) => {
  let isFirst = true
  return () => {
    const given = isFirst ? answer : undefined
    isFirst = false
    return given
  }
}

describe('the sender', () => {
  it('API-EMAIL-22 sends each recipient a mail of their own, and keeps the server’s reply', async () => {
    const sink = await sinkWith()
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(30), {
      subject: 'Hi {{name | default: "you"}}',
      content: '<p>Hello {{name}}</p>',
      context: { name: 'Bob' },
    })
    await database.pool.query(
      `update deliveries set context = '{"name": "Eve"}' where recipient = 'person7@example.com'`,
    )
    start(sink.port)
    await untilStates({ sent: 30 })
    expect(sink.recipients().sort()).toEqual(people(30).sort())
    expect(sink.mails.every(({ from, to }) => from === 'ann@example.com' && to.length === 1)).toBe(true)
    const mails = await sink.parsed()
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(30)
    const texts = new Map(mails.map((mail, at) => [sink.mails[at]?.to[0], [mail.subject, mail.text?.trim()]]))
    expect(texts.get('person7@example.com')).toEqual(['Hi Eve', 'Hello Eve'])
    expect(texts.get('person8@example.com')).toEqual(['Hi Bob', 'Hello Bob'])
    const facts = await rows.deliveries()
    expect(facts.every(({ attempts, reply }) => attempts === 1 && reply === '250 2.0.0 Taken')).toBe(true)
  })

  it('is ready once it claims, and sends at once what it is woken for', async () => {
    const sink = await sinkWith()
    const configId = await rows.addMailbox()
    const sender = start(sink.port)
    expect(sender.isReady()).toBe(false)
    await expect.poll(() => sender.isReady(), wait).toBe(true)
    for (const wake of [() => sender.wake(configId), () => sender.wake(), () => {}]) {
      await rows.addMessage(configId, people(1))
      wake()
      await sink.waitFor(sink.mails.length + 1)
    }
    await sender.stop()
    expect(sender.isReady()).toBe(false)
  })

  it('uses as many connections as the mailbox may have', async () => {
    const sink = await sinkWith()
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(40))
    start(testMailbox(sink.port, { limits: { ...testLimits, connectionCount: 2 } }))
    await untilStates({ sent: 40 })
    expect([sink.connectionCount, sink.peakConnectionCount]).toEqual([2, 2])
  })

  it('gives each connection as many messages as it may carry', async () => {
    const sink = await sinkWith()
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(20))
    start(testMailbox(sink.port, { limits: { ...testLimits, messagesPerConnectionCount: 4 } }))
    await untilStates({ sent: 20 })
    const perConnection = Map.groupBy(sink.mails, ({ connection }) => connection)
    expect(Math.max(...[...perConnection.values()].map((mails) => mails.length))).toBeLessThanOrEqual(4)
    expect(sink.recipients().sort()).toEqual(people(20).sort())
  })

  it('does not let a slow mailbox hold up another', async () => {
    const slow = await sinkWith({ onMessage: () => new Promise(() => {}) })
    const fast = await sinkWith()
    const [slowId, fastId] = [await rows.addMailbox(), await rows.addMailbox()]
    await rows.addMessage(slowId, people(10))
    await rows.addMessage(fastId, people(10))
    start((configId) => (configId === slowId ? slow.port : fast.port))
    await fast.waitFor(10)
    expect(fast.mails).toHaveLength(10)
  })

  it('serves more mailboxes than it has room for by turns: a busy one makes way, and comes back', async () => {
    const sink = await sinkWith({ onMessage: () => new Promise((resolve) => setTimeout(() => resolve(undefined), 5)) })
    const [busy, ...others] = await Promise.all(Array.from({ length: 4 }, () => rows.addMailbox()))
    const messageId = await rows.addMessage(busy ?? '', people(1000))
    const sender = start(sink.port, { lanesMaxCount: 1 })
    await sink.waitFor(1)
    for (const configId of others) await rows.addMessage(configId, people(1))
    sender.wake()
    sender.skipMs(6000)
    const isServed = async () => {
      const states = await Promise.all(others.map((configId) => stateOf(configId)))
      return states.every((state) => state === 'sent')
    }
    await expect.poll(isServed, wait).toBe(true)
    const left = await rows.deliveries(messageId)
    expect(left.some(({ state }) => state === 'queued' || state === 'sending')).toBe(true)
    await expect.poll(() => rows.states(), { timeout: 25_000, interval: 50 }).toEqual({ sent: 1003 })
  })

  it('fails a message that cannot be built, and says nothing of it in the log', async () => {
    const sink = await sinkWith()
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(1), { content: 'Hi {{secret words}}' })
    const sender = start(sink.port)
    await untilStates({ failed: 1 })
    expect(await rows.deliveries()).toMatchObject([{ reply: 'The mail could not be built from its message' }])
    expect(sender.logged()).not.toContain('secret words')
  })

  it('H57 logs no address, no password and no body, whatever goes wrong', async () => {
    const sink = await sinkWith({
      onRecipient: (address) => (address.startsWith('person1') ? `550 5.1.1 No ${address}` : undefined),
      onMessage: (mail) => (mail.to[0]?.startsWith('person2') ? 'cut' : undefined),
      onLogin: once('535 5.7.8 hunter22 is wrong for ann@example.com' as const),
    })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(4), { content: 'canary body' })
    const sender = start(sink.port)
    await expect.poll(async () => (await rows.states()).queued, wait).toBe(4)
    await expect.poll(() => sender.logged(), wait).toContain('A mailbox is paused')
    await database.pool.query(`update email_configs set status = 'active'`)
    await untilStates({ sent: 2, failed: 1, unknown: 1 })
    await sender.stop()
    expect(sender.logged()).not.toMatch(/person|ann@|hunter22|canary/)
  })
})

describe('refusals', () => {
  it('a temporary one rests a minute and is tried again, without holding up the others', async () => {
    let isBusy = true
    const sink = await sinkWith({
      onRecipient: (address) => (isBusy && address.startsWith('person1@') ? '450 4.2.1 Busy' : undefined),
    })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(3))
    start(sink.port)
    await untilStates({ sent: 2, deferred: 1 })
    const [, deferred] = await rows.deliveries()
    expect(deferred).toMatchObject({ state: 'deferred', attempts: 1, reply: '450 4.2.1 Busy', settledAt: null })
    expect(deferred?.dueInMs).toBeGreaterThan(50_000)
    expect(deferred?.dueInMs).toBeLessThan(61_000)
    isBusy = false
    await database.pool.query('update deliveries set next_attempt_at = now()')
    await untilStates({ sent: 3 })
    expect((await rows.deliveries())[1]).toMatchObject({ attempts: 2 })
    const ids = (await sink.parsed()).map(({ messageId }) => messageId)
    expect(new Set(ids).size).toBe(3)
  })

  it('a final one fails that recipient alone', async () => {
    const sink = await sinkWith({
      onRecipient: (address) => (address.startsWith('person1@') ? '550 5.1.1 No such user' : undefined),
      onMessage: (mail) => (mail.to[0]?.startsWith('person2@') ? '554 5.7.1 Spam' : undefined),
    })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(4))
    start(sink.port)
    await untilStates({ sent: 2, failed: 2 })
    expect((await rows.deliveries()).map(({ reply }) => reply)).toEqual([
      '250 2.0.0 Taken',
      '550 5.1.1 No such user',
      '554 5.7.1 Spam',
      '250 2.0.0 Taken',
    ])
  })

  it('refused credentials pause the mailbox and leave its deliveries unharmed', async () => {
    let isRefusing = true
    const sink = await sinkWith({ onLogin: () => (isRefusing ? '535 5.7.8 Bad credentials' : undefined) })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(20))
    start(testMailbox(sink.port, { provider: 'gmail' }))
    const config = async () =>
      (
        await database.pool.query<{ status: string; reason: string; until: Date | null }>(
          'select status, pause_reason as reason, paused_until as until from email_configs',
        )
      ).rows[0]
    await expect.poll(async () => (await config())?.status, wait).toBe('paused')
    expect(await config()).toMatchObject({ until: null, reason: expect.stringMatching(/app password/) as string })
    await untilStates({ queued: 20 })
    expect((await rows.deliveries()).every(({ attempts, reply }) => attempts === 0 && reply === null)).toBe(true)
    expect(sink.mails).toHaveLength(0)
    const logins = sink.logins.length
    isRefusing = false
    await database.pool.query(`update email_configs set status = 'active', pause_reason = null`)
    await untilStates({ sent: 20 })
    expect(logins).toBe(1)
  })

  it('a daily limit pauses the mailbox for hours, and the message it met goes back unharmed', async () => {
    const sink = await sinkWith({ onMessage: once('550 5.4.5 Daily user sending limit exceeded' as const) })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(1))
    start(sink.port)
    const until = async () =>
      (await database.pool.query<{ until: Date | null }>('select paused_until as until from email_configs')).rows[0]
        ?.until
    await expect.poll(until, wait).toBeTruthy()
    await untilStates({ queued: 1 })
    expect(((await until())?.getTime() ?? 0) - Date.now()).toBeGreaterThan(3.9 * 3_600_000)
    expect(await rows.deliveries()).toMatchObject([{ attempts: 0, reply: null }])
    await database.pool.query('update email_configs set paused_until = now()')
    await untilStates({ sent: 1 })
    expect(sink.mails).toHaveLength(1)
  })
})

describe('connections that break', () => {
  it('before the message: it is deferred, the others go over a new one', async () => {
    const cut = once('cut' as const)
    const sink = await sinkWith({ onSender: cut })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(5))
    start(testMailbox(sink.port, { limits: { ...testLimits, connectionCount: 1 } }))
    await untilStates({ sent: 4, deferred: 1 })
    expect(sink.mails).toHaveLength(4)
  })

  it('after the message and before the reply: it is unknown, and never sent again by itself', async () => {
    const sink = await sinkWith({ onMessage: (mail) => (mail.to[0]?.startsWith('person2@') ? 'cut' : undefined) })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(5))
    start(sink.port)
    await untilStates({ sent: 4, unknown: 1 })
    expect((await rows.deliveries())[2]).toMatchObject({
      state: 'unknown',
      reply: expect.stringMatching(/before the mail server’s answer/) as string,
    })
  })

  it('after the reply: it is sent, once', async () => {
    const sink = await sinkWith({ afterReply: () => 'cut' })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(8))
    start(sink.port)
    await untilStates({ sent: 8 })
    expect(sink.recipients().sort()).toEqual(people(8).sort())
  })

  it('while they rest: the next message goes over a new one and does not notice', async () => {
    const sink = await sinkWith()
    const configId = await rows.addMailbox()
    const sender = start(sink.port)
    await rows.addMessage(configId, people(1))
    await untilStates({ sent: 1 })
    sink.hangUp()
    await rows.addMessage(configId, people(1))
    sender.wake(configId)
    await untilStates({ sent: 2 })
    expect((await rows.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1])
    expect(sink.connectionCount).toBe(2)
  })

  it('with a 421 between two messages: the second is sent over a new one', async () => {
    let isTired = false
    const sink = await sinkWith({
      onSender: () => {
        const answer = isTired ? ('421 4.3.2 Enough for one connection' as const) : undefined
        isTired = !isTired
        return answer
      },
    })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(3))
    start(testMailbox(sink.port, { limits: { ...testLimits, connectionCount: 1 } }))
    await untilStates({ sent: 3 })
    expect((await rows.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
    expect(sink.mails).toHaveLength(3)
  })

  it('or never come about: what was claimed is deferred with the reason, the rest waits', async () => {
    const gone = await startSmtpSink()
    await gone.close()
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(50))
    const sender = start(gone.port)
    await expect.poll(async () => (await rows.states()).deferred, wait).toBeGreaterThan(0)
    const [first] = await rows.deliveries()
    expect(first).toMatchObject({
      state: 'deferred',
      attempts: 1,
      reply: 'The mail server could not be reached (ECONNREFUSED)',
    })
    expect((await rows.states()).queued).toBeGreaterThan(0)
    const sink = await sinkWith({ port: gone.port })
    await database.pool.query('update deliveries set next_attempt_at = now()')
    sender.skipMs(400_000)
    await untilStates({ sent: 50 })
    expect(sink.recipients().sort()).toEqual(people(50).sort())
  })

  it('a mailbox without a mail server at this moment is deferred, one that is deleted is not sent', async () => {
    const [off, deleted] = [await rows.addMailbox(), await rows.addMailbox()]
    await rows.addMessage(off, people(1))
    await rows.addMessage(deleted, people(1))
    await rows.remove(deleted)
    start((configId) => (configId === off ? testMailbox(0, { endpoint: null }) : null))
    await untilStates({ deferred: 1, cancelled: 1 })
  })
})

describe('stopping', () => {
  it('finishes what is in flight, sends nothing more, and leaves no journal', async () => {
    const answers: (() => void)[] = []
    const sink = await sinkWith({ onMessage: () => new Promise((resolve) => answers.push(() => resolve(undefined))) })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(50))
    const sender = start(sink.port)
    await expect.poll(() => answers.length, wait).toBe(3)
    const stopping = sender.stop()
    for (const answer of answers) answer()
    await stopping
    expect(await rows.states()).toEqual({ sent: 3, queued: 47 })
    expect(sink.mails).toHaveLength(3)
    expect(await readdir(sender.journalFolder)).toEqual([])
    await expect.poll(() => sink.openConnectionCount, wait).toBe(0)
  })

  it('does not wait for a connection that is only coming about', async () => {
    const sink = await sinkWith({ onConnect: () => new Promise(() => {}) })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(3))
    const sender = start(sink.port)
    await expect.poll(() => sink.connectionCount, wait).toBe(1)
    await sender.stop()
    expect(await rows.states()).toEqual({ queued: 3 })
    expect((await rows.deliveries()).every(({ attempts }) => attempts === 0)).toBe(true)
  })

  it('cuts what takes longer than the grace, and settles it as far as it is known', async () => {
    const hung = hangingSink()
    const sink = await sinkWith(hung.options)
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(10))
    const sender = start(sink.port)
    await expect.poll(hung.count, wait).toBe(3)
    await sender.stop(100)
    expect(await rows.states()).toEqual({ unknown: 3, queued: 7 })
    expect(await readdir(sender.journalFolder)).toEqual([])
  })

  it('ends at once when asked a second time; the next start settles what was in flight', async () => {
    const hung = hangingSink()
    const sink = await sinkWith(hung.options)
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(1))
    const sender = start(sink.port)
    await expect.poll(hung.count, wait).toBe(1)
    const stopping = sender.stop(60_000)
    await sender.stop()
    await stopping
    expect(await statesOf()).toEqual(['sending'])
    expect(await readdir(sender.journalFolder)).toHaveLength(1)
    start(sink.port)
    await untilStates({ unknown: 1 })
    expect(hung.count()).toBe(1)
  })

  it('before it was ever started is nothing', async () => {
    await createTestSender({ database, rows, folder, mailbox: () => null }).stop()
  })
})

describe('a database that goes away', () => {
  it('comes back, and what was being sent meanwhile is settled then; nobody gets two', async () => {
    const answers: (() => void)[] = []
    const sink = await sinkWith({
      onMessage: () =>
        answers.length < 3 ? new Promise((resolve) => answers.push(() => resolve(undefined))) : undefined,
    })
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(40))
    const sender = start(sink.port)
    await expect.poll(() => answers.length, wait).toBe(3)
    const outage = await stopDatabase()
    await expect.poll(() => sender.isReady(), wait).toBe(false)
    for (const answer of answers) answer()
    await expect.poll(() => sender.logged(), wait).toContain('could not be settled')
    await outage.end()
    await untilStates({ sent: 40 })
    expect(sink.recipients().sort()).toEqual(people(40).sort())
    await expect.poll(() => sender.isReady(), wait).toBe(true)
  })

  it('right after a claim: rows whose claim was never heard of go back and are sent once', async () => {
    const sink = await sinkWith()
    const configId = await rows.addMailbox()
    await rows.addMessage(configId, people(10))
    let lostCount = 0
    const sender = createTestSender({ database, rows, folder, mailbox: () => sink.port })
    const { claim } = sender.ports.queue
    sender.ports.queue.claim = async (given) => {
      const claimed = await claim(given)
      if (lostCount === 0 && claimed.length > 0) {
        lostCount = claimed.length
        throw new Error('Connection terminated unexpectedly')
      }
      return claimed
    }
    sender.start()
    undo.push(() => sender.stop(0))
    await expect.poll(() => lostCount, wait).toBe(5)
    sender.skipMs(11_000)
    await untilStates({ sent: 10 })
    expect(sink.recipients().sort()).toEqual(people(10).sort())
  })
})

/** A server that takes messages and never answers; `count` of those that came. */
function hangingSink(): { options: SinkOptions; count: () => number } {
  let count = 0
  const onMessage = () => {
    count += 1
    return new Promise<undefined>(() => {})
  }
  return { options: { onMessage }, count: () => count }
}

/** Takes the database off the network, as a restart does: nobody is connected, nobody gets in. */
async function stopDatabase(): Promise<{ end: () => Promise<void> }> {
  const { rows: named } = await database.pool.query<{ name: string }>('select current_database() as name')
  const name = named[0]?.name ?? ''
  const admin = openDatabase(inject('postgres').connection, () => {})
  await admin.pool.query(`alter database ${name} allow_connections false`)
  await admin.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  return {
    async end() {
      await admin.pool.query(`alter database ${name} allow_connections true`)
      await admin.close()
    },
  }
}
