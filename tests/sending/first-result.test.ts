import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFirstResultWatch } from '../../server/mailer/queue/first-result.ts'
import { people, useSending } from '../support/sending.ts'
import type { SinkOptions } from '../support/smtp-sink.ts'
import type { TestSender } from '../support/test-sender.ts'

const sending = useSending()

/** A sender on a server with this script, and a message accepted for so many. */
async function send(script: SinkOptions, count = 1): Promise<{ sender: TestSender; messageId: string }> {
  const sink = await sending.sinkWith(script)
  const sender = sending.start(sink.port)
  const mailboxId = await sending.rows.addMailbox()
  const messageId = await sending.rows.addMessage(mailboxId, people(count))
  sender.wake(mailboxId)
  return { sender, messageId }
}

const timeoutMs = 10_000

describe('waiting for the first verdict', () => {
  it('ends without a failure when a mail was taken', async () => {
    const { sender, messageId } = await send({})
    expect(await sender.verdicts.waitForFirstResult(messageId, timeoutMs)).toEqual({ failure: null })
    expect(await sending.rows.states()).toMatchObject({ sent: 1 })
  })

  it('ends with the server’s words when every recipient was refused', async () => {
    const { sender, messageId } = await send({ onRecipient: () => '550 5.1.1 No such user' }, 3)
    expect(await sender.verdicts.waitForFirstResult(messageId, timeoutMs)).toEqual({
      failure: '550 5.1.1 No such user',
    })
    expect(await sending.rows.states()).toEqual({ failed: 3 })
  })

  it('ends without a failure when one was taken and others were refused', async () => {
    const { sender, messageId } = await send(
      { onRecipient: (address) => (address.startsWith('person0') ? undefined : '550 5.1.1 No such user') },
      3,
    )
    expect(await sender.verdicts.waitForFirstResult(messageId, timeoutMs)).toEqual({ failure: null })
  })

  it('ends without a failure when the server wants it later', async () => {
    const { sender, messageId } = await send({ onRecipient: () => '450 4.2.1 Busy' })
    expect(await sender.verdicts.waitForFirstResult(messageId, timeoutMs)).toEqual({ failure: null })
  })

  it('wrong credentials surface, and what waited behind them is failed: the caller may send again', async () => {
    const { sender, messageId } = await send({ onLogin: () => '535 5.7.8 Bad credentials' }, 3)
    const { failure } = await sender.verdicts.waitForFirstResult(messageId, timeoutMs)
    expect(failure).toMatch(/Check both.*535 5\.7\.8 Bad credentials/)
    const facts = await sending.rows.deliveries(messageId)
    expect(facts.map(({ state, reply }) => [state, reply])).toEqual(facts.map(() => ['failed', failure]))
  })

  it('a limit that passes by itself is no failure', async () => {
    const { sender, messageId } = await send({ onMessage: () => '550 5.4.5 Daily limit' })
    expect(await sender.verdicts.waitForFirstResult(messageId, 500)).toEqual({ failure: null })
    await expect.poll(() => sending.rows.states(), { timeout: timeoutMs }).toEqual({ queued: 1 })
  })

  it('ends when the time is over', async () => {
    const { sender, messageId } = await send({ onMessage: () => new Promise(() => {}) })
    expect(await sender.verdicts.waitForFirstResult(messageId, 300)).toEqual({ failure: null })
  })

  it('hears of what another process sends', async () => {
    const { messageId } = await send({ onRecipient: () => '550 5.1.1 No such user' })
    const { deliveries } = sending.make(null)
    const elsewhere = createFirstResultWatch({ deliveries })
    expect(await elsewhere.waitForFirstResult(messageId, timeoutMs)).toEqual({ failure: '550 5.1.1 No such user' })
  })

  it('outlasts a database that is away for a moment', async () => {
    const { sender, messageId } = await send({ onRecipient: () => '550 5.1.1 No such user' })
    let readCount = 0
    const watch = createFirstResultWatch({
      deliveries: {
        failUnsent: (id, reply) => sender.deliveries.failUnsent(id, reply),
        readResults: (id) =>
          (readCount += 1) < 3 ? Promise.reject(new Error('away')) : sender.deliveries.readResults(id),
      },
    })
    expect(await watch.waitForFirstResult(messageId, timeoutMs)).toEqual({ failure: '550 5.1.1 No such user' })
  })

  it('knows nothing bad of a message that does not exist', async () => {
    const { sender } = await send({})
    expect(await sender.verdicts.waitForFirstResult(randomUUID(), timeoutMs)).toEqual({ failure: null })
  })
})
