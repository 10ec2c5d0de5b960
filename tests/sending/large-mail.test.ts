import { expect, it } from 'vitest'
import type { SenderPorts } from '../../server/mailer/queue/sender-ports.ts'
import { makeAddresses, useSending } from '../support/sending.ts'

const sending = useSending()

/** Messages with a property that cannot be sent to a worker thread. */
const uncopied: SenderPorts['messages'] = {
  findContents: async (workspaceId, ids) =>
    (await sending.rows.findContents(workspaceId, ids)).map((content) => ({ ...content, uncopied: () => '' })),
}

it('a large mail whose thread fails is deferred as an attempt, and others of its mailbox are sent', async () => {
  const sink = await sending.sinkWith()
  const mailboxId = await sending.rows.addMailbox()
  const large = await sending.rows.addMessage(mailboxId, makeAddresses(1), { content: '{{value}}'.repeat(200) })
  const small = await sending.rows.addMessage(mailboxId, makeAddresses(3), { content: 'Hi' })
  const sender = sending.start(sink.port, { messages: uncopied })
  await sending.untilStates({ deferred: 1, sent: 3 })
  const [delivery] = await sending.rows.deliveries(large)
  expect(delivery).toMatchObject({ state: 'deferred', attempts: 1, reply: 'The server could not build the mail' })
  expect(delivery!.dueInMs).toBeGreaterThan(40_000)
  expect((await sending.rows.deliveries(small)).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent'])
  expect(sender.logged()).toContain('A mail could not be built')
})

it('a large mail whose thread fails up to its last attempt has failed, with a reason', async () => {
  const sink = await sending.sinkWith()
  const mailboxId = await sending.rows.addMailbox()
  await sending.rows.addMessage(mailboxId, makeAddresses(1), { content: '{{value}}'.repeat(200) })
  await sending.database.pool.query('update deliveries set attempts = 100')
  sending.start(sink.port, { messages: uncopied })
  await sending.untilStates({ failed: 1 })
  expect((await sending.rows.deliveries())[0]).toMatchObject({ reply: 'The server could not build the mail' })
  expect(sink.mails).toHaveLength(0)
})
