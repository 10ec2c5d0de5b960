import { beforeAll, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
let otherUser: TestUser

const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
  otherUser = await createUser(server)
})

let sendCount = 0
/** A message to three, two of whom are unknown after a crash. */
async function sendAndLose() {
  sendCount += 1
  const [a, b, c] = ['a', 'b', 'c'].map((name) => `${name}${sendCount}@example.com`) as [string, string, string]
  const answer = await server.call('POST', `/api/send-mail/${user.secretKey}`, {
    body: { recipient_list: [a, b, c], subject: 'Hi', content: 'Hello' },
  })
  const { id } = answer.body as { id: string }
  for (const address of [a, b, c]) await server.mailsTo(address)
  await expect.poll(async () => (await messageOf(id)).counts['sent']).toBe(3)
  await server.sql(`update deliveries set state = 'unknown' where message_id = $1 and recipient <> $2`, [id, a])
  return { id, a, b, c }
}

const messageOf = async (id: string) =>
  (await server.call('GET', `/email/messages/${id}`, { token: user.token })).body as {
    counts: Record<string, number>
    deliveries: { message_id: string }[]
  }
const resend = (id: string, body: object = {}, { token } = user) =>
  server.call('POST', `/email/messages/${id}/resend`, { token, body })

describe('a resend of unknown deliveries', () => {
  it('sends only to unknown recipients, with the same Message-ID', async () => {
    const { id, a, b, c } = await sendAndLose()
    const before = (await messageOf(id)).deliveries.map(({ message_id }) => message_id)
    const answer = await resend(id)
    expect([answer.status, answer.body]).toEqual([200, { message: '2 recipients are sent to again', resent: 2 }])
    for (const address of [b, c]) {
      const mails = await server.mailsTo(address, 2)
      expect(new Set(mails.map(({ headers }) => headers['message-id'])).size).toBe(1)
    }
    await expect.poll(async () => (await messageOf(id)).counts['sent']).toBe(3)
    expect((await messageOf(id)).deliveries.map(({ message_id }) => message_id)).toEqual(before)
    expect(await server.mailsTo(a)).toHaveLength(1)
  })

  it('sends to the named ones only, once, however often it is requested', async () => {
    const { id, a, b, c } = await sendAndLose()
    const answers = await Promise.all(Array.from({ length: 5 }, () => resend(id, { recipient_list: [a, b] })))
    expect(answers.map(({ body }) => body.resent as number).sort()).toEqual([0, 0, 0, 0, 1])
    await server.mailsTo(b, 2)
    await expect.poll(async () => (await messageOf(id)).counts).toMatchObject({ sent: 2, unknown: 1 })
    expect(await server.mailsTo(c)).toHaveLength(1)
    expect(await server.mailsTo(b)).toHaveLength(2)
  })

  it('H18 of another workspace’s message, a missing one or an invalid id returns the same 404, and changes nothing', async () => {
    const { id } = await sendAndLose()
    const answers = [
      await resend(id, {}, otherUser),
      await resend('0190a1b2-0000-7000-8000-000000000000'),
      await resend('1%20OR%201=1'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await messageOf(id)).counts).toMatchObject({ sent: 1, unknown: 2 })
  })

  it.each([
    ['no list', { recipient_list: 'a@example.com' }],
    ['an empty list', { recipient_list: [] }],
    ['items that are no text', { recipient_list: [1] }],
  ])('H30 with %s returns 422', async (_what, body) => {
    const { id } = await sendAndLose()
    expect(await resend(id, body)).toMatchObject({ status: 422 })
    expect((await messageOf(id)).counts).toMatchObject({ unknown: 2 })
  })
})
