import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createFirstResultWatch } from '../../server/mailer/queue/first-result.ts'
import { makeAddresses, useSending } from '../support/sending.ts'
import type { SinkOptions } from '../support/smtp-sink.ts'
import type { TestSender } from '../support/test-sender.ts'

const sending = useSending()

/** A sender on a server with this script, and an accepted message with this number of recipients. */
async function send(script: SinkOptions, count = 1): Promise<{ sender: TestSender; messageId: string }> {
  const sink = await sending.sinkWith(script)
  const sender = sending.start(sink.port)
  const mailboxId = await sending.rows.addMailbox()
  const messageId = await sending.rows.addMessage(mailboxId, makeAddresses(count))
  sender.wake(sending.rows.keyOf(mailboxId))
  return { sender, messageId }
}

const timeoutMs = 10_000

describe('waiting for the first result', () => {
  it('succeeds when a mail was accepted', async () => {
    const { sender, messageId } = await send({})
    expect(await sender.firstResults.waitForFirstResult(sending.rows.scope, messageId, timeoutMs)).toEqual({
      failure: null,
    })
    expect(await sending.rows.states()).toMatchObject({ sent: 1 })
  })

  it('fails with the server’s reply when every recipient was refused', async () => {
    const { sender, messageId } = await send({ onRecipient: () => '550 5.1.1 No such user' }, 3)
    expect(await sender.firstResults.waitForFirstResult(sending.rows.scope, messageId, timeoutMs)).toEqual({
      failure: '550 5.1.1 No such user',
    })
    expect(await sending.rows.states()).toEqual({ failed: 3 })
  })

  it('succeeds when one was accepted and others were refused', async () => {
    const { sender, messageId } = await send(
      { onRecipient: (address) => (address.startsWith('person0') ? undefined : '550 5.1.1 No such user') },
      3,
    )
    expect(await sender.firstResults.waitForFirstResult(sending.rows.scope, messageId, timeoutMs)).toEqual({
      failure: null,
    })
  })

  it('succeeds when the server defers the mail', async () => {
    const { sender, messageId } = await send({ onRecipient: () => '450 4.2.1 Busy' })
    expect(await sender.firstResults.waitForFirstResult(sending.rows.scope, messageId, timeoutMs)).toEqual({
      failure: null,
    })
  })

  it('reports wrong credentials, and fails the queued deliveries: the caller may send again', async () => {
    const { sender, messageId } = await send({ onLogin: () => '535 5.7.8 Bad credentials' }, 3)
    const { failure } = await sender.firstResults.waitForFirstResult(sending.rows.scope, messageId, timeoutMs)
    expect(failure).toMatch(/Check both.*535 5\.7\.8 Bad credentials/)
    const facts = await sending.rows.deliveries(messageId)
    expect(facts.map(({ state, reply }) => [state, reply])).toEqual(facts.map(() => ['failed', failure]))
  })

  it('does not fail for a temporary limit', async () => {
    const { sender, messageId } = await send({ onMessage: () => '550 5.4.5 Daily limit' })
    expect(await sender.firstResults.waitForFirstResult(sending.rows.scope, messageId, 500)).toEqual({ failure: null })
    await expect.poll(() => sending.rows.states(), { timeout: timeoutMs }).toEqual({ queued: 1 })
  })

  it('ends after its timeout', async () => {
    const { sender, messageId } = await send({ onMessage: () => new Promise(() => {}) })
    expect(await sender.firstResults.waitForFirstResult(sending.rows.scope, messageId, 300)).toEqual({ failure: null })
  })

  it('receives the results of another process', async () => {
    const { messageId } = await send({ onRecipient: () => '550 5.1.1 No such user' })
    const { deliveries } = sending.make(null)
    const elsewhere = createFirstResultWatch({ deliveries })
    expect(await elsewhere.waitForFirstResult(sending.rows.scope, messageId, timeoutMs)).toEqual({
      failure: '550 5.1.1 No such user',
    })
  })

  it('survives a short database outage', async () => {
    const { sender, messageId } = await send({ onRecipient: () => '550 5.1.1 No such user' })
    let readCount = 0
    const watch = createFirstResultWatch({
      deliveries: {
        failUnsent: (...given) => sender.deliveries.failUnsent(...given),
        readResults: (...given) =>
          (readCount += 1) < 3 ? Promise.reject(new Error('away')) : sender.deliveries.readResults(...given),
      },
    })
    expect(await watch.waitForFirstResult(sending.rows.scope, messageId, timeoutMs)).toEqual({
      failure: '550 5.1.1 No such user',
    })
  })

  it('does not fail for an unknown message', async () => {
    const { sender } = await send({})
    expect(await sender.firstResults.waitForFirstResult(sending.rows.scope, randomUUID(), timeoutMs)).toEqual({
      failure: null,
    })
  })
})
