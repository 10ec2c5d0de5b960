import { describe, expect, it } from 'vitest'
import { returnOnce, makeAddresses, useSending, wait } from '../support/sending.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { testLimits, testMailbox } from '../support/test-sender.ts'

const sending = useSending()

describe('a broken connection', () => {
  it('before the message: it is deferred, the others use a new connection', async () => {
    const cut = returnOnce('cut' as const)
    const sink = await sending.sinkWith({ onSender: cut })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(5))
    sending.start(testMailbox(sink.port, { limits: { ...testLimits, connectionCount: 1 } }))
    await sending.untilStates({ sent: 4, deferred: 1 })
    expect(sink.mails).toHaveLength(4)
  })

  it('after the message and before the reply: it is unknown, and never resent automatically', async () => {
    const sink = await sending.sinkWith({
      onMessage: (mail) => (mail.to[0]?.startsWith('person2@') ? 'cut' : undefined),
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(5))
    sending.start(sink.port)
    await sending.untilStates({ sent: 4, unknown: 1 })
    expect((await sending.rows.deliveries())[2]).toMatchObject({
      state: 'unknown',
      reply: expect.stringMatching(/before the mail server’s answer/) as string,
    })
  })

  it('after the reply: it is sent, once', async () => {
    const sink = await sending.sinkWith({ afterReply: () => 'cut' })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(8))
    sending.start(sink.port)
    await sending.untilStates({ sent: 8 })
    expect(sink.recipients().sort()).toEqual(makeAddresses(8).sort())
  })

  it('while idle: the next message uses a new connection', async () => {
    const sink = await sending.sinkWith()
    const mailboxId = await sending.rows.addMailbox()
    const sender = sending.start(sink.port)
    await sending.rows.addMessage(mailboxId, makeAddresses(1))
    await sending.untilStates({ sent: 1 })
    sink.hangUp()
    await sending.rows.addMessage(mailboxId, makeAddresses(1))
    sender.wake(sending.rows.keyOf(mailboxId))
    await sending.untilStates({ sent: 2 })
    expect((await sending.rows.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1])
    expect(sink.connectionCount).toBe(2)
  })

  it('with a 421 between two messages: the second uses a new connection', async () => {
    let isTired = false
    const sink = await sending.sinkWith({
      onSender: () => {
        const answer = isTired ? ('421 4.3.2 Enough for one connection' as const) : undefined
        isTired = !isTired
        return answer
      },
    })
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(3))
    sending.start(testMailbox(sink.port, { limits: { ...testLimits, connectionCount: 1 } }))
    await sending.untilStates({ sent: 3 })
    expect((await sending.rows.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1, 1])
    expect(sink.mails).toHaveLength(3)
  })

  it('that cannot be opened: claimed deliveries are deferred with the reason, the rest waits', async () => {
    const gone = await startSmtpSink()
    await gone.close()
    const mailboxId = await sending.rows.addMailbox()
    await sending.rows.addMessage(mailboxId, makeAddresses(50))
    const sender = sending.start(gone.port)
    await expect.poll(async () => (await sending.rows.states()).deferred, wait).toBeGreaterThan(0)
    const [first] = await sending.rows.deliveries()
    expect(first).toMatchObject({
      state: 'deferred',
      attempts: 1,
      reply: 'The mail server could not be reached (ECONNREFUSED)',
    })
    expect((await sending.rows.states()).queued).toBeGreaterThan(0)
    const sink = await sending.sinkWith({ port: gone.port })
    await sending.database.pool.query('update deliveries set next_attempt_at = now()')
    sender.skipMs(400_000)
    await sending.untilStates({ sent: 50 })
    expect(sink.recipients().sort()).toEqual(makeAddresses(50).sort())
  })

  it('a mailbox whose mail server is missing is deferred, a deleted mailbox is not sent', async () => {
    const [off, deleted] = [await sending.rows.addMailbox(), await sending.rows.addMailbox()]
    await sending.rows.addMessage(off, makeAddresses(1))
    await sending.rows.addMessage(deleted, makeAddresses(1))
    await sending.rows.remove(deleted)
    sending.start((mailboxId) => (mailboxId === off ? testMailbox(0, { endpoint: null }) : null))
    await sending.untilStates({ deferred: 1, cancelled: 1 })
  })
})
