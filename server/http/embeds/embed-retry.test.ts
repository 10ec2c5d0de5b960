import { describe, expect, it } from 'vitest'
import { createTestEmbed, siteOrigin, type TestEmbed } from '../../../tests/support/embeds.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer()

let count = 0
const person = () => `retried-${(count += 1)}@example.org`

/** Sends to these; returns the message's id once all have their mail and their deliveries are settled. */
async function sent(site: TestEmbed, token: string, recipients: string[]): Promise<string> {
  const { body: mailboxes } = await site.from(token, 'GET', '/email/configs')
  const alias = (mailboxes as { secret_key: string }[])[0]!.secret_key
  const body = { recipient_list: recipients, subject: 'Hello', content: '<p>Hi</p>' }
  const answer = await site.from(token, 'POST', `/email/send-mail/${alias}`, { body })
  expect([answer.status, answer.body.accepted]).toEqual([200, recipients.length])
  for (const recipient of recipients) await server.mailsTo(recipient)
  const id = answer.body.id as string
  await expect.poll(() => statesOf(id)).toEqual(recipients.map(() => 'sent'))
  return id
}
/** As if the mail server had refused the mail, not the address, which would suppress it: the sandbox accepts everything. */
const refuse = (id: string, recipients: string[]) =>
  server.sql(
    `update deliveries set state = 'failed', reply = '554 5.7.1 Refused by policy', settled_at = now()
     where message_id = $1 and recipient = any($2)`,
    [id, recipients],
  )
/** Sends to these, and all deliveries fail. */
async function refused(site: TestEmbed, token: string, recipients: string[]): Promise<string> {
  const id = await sent(site, token, recipients)
  await refuse(id, recipients)
  return id
}
const retry = async (site: TestEmbed, token: string, id: string) => {
  const { status, body } = await site.from(token, 'POST', `/email/messages/${id}/retry`)
  return [status, body.resent ?? body.detail] as [number, unknown]
}
const statesOf = async (id: string) =>
  (await server.sql<{ state: string }>('select state from deliveries where message_id = $1', [id])).map(
    ({ state }) => state,
  )
const countsOf = async (site: TestEmbed) => {
  const { token } = site.user
  const [embed, sessions] = [
    await server.call('GET', `/embeds/${site.embed.id}`, { token }),
    await server.call('GET', `/embeds/${site.embed.id}/sessions`, { token }),
  ]
  const [session] = sessions.body as { messages: number; recipients: number }[]
  return { today: embed.body.recipients_today as number, messages: session!.messages, recipients: session!.recipients }
}

describe('a retry from a page', () => {
  it('sends once more, and only to failed recipients, and is recorded in the activity', async () => {
    const site = await createTestEmbed(server)
    const token = await site.token({ user_ref: 'till-1' })
    const [ann, ben] = [person(), person()]
    const id = await sent(site, token, [ann, ben])
    await refuse(id, [ben])
    expect(await retry(site, token, id)).toEqual([200, 1])
    expect(await server.mailsTo(ben, 2)).toHaveLength(2)
    expect(await server.mailsTo(ann)).toHaveLength(1)
    expect(await retry(site, token, id)).toEqual([200, 0])
    const audit = await server.call('GET', `/embeds/${site.embed.id}/audit`, { token: site.user.token })
    const line = { message_id: id, subject: 'Hello', user_ref: 'till-1', origin: siteOrigin }
    expect(audit.body).toMatchObject([
      { ...line, act: 'message-retried', recipients: 1 },
      { ...line, act: 'message-sent', recipients: 2 },
    ])
  })

  it('counts recipients of the session and of the day, and no message', async () => {
    const site = await createTestEmbed(server, { limits: { messages_per_session: 1 } })
    const token = await site.token()
    const id = await refused(site, token, [person(), person()])
    expect(await retry(site, token, id)).toEqual([200, 2])
    expect(await countsOf(site)).toEqual({ today: 4, messages: 1, recipients: 4 })
  })

  it.each([
    ['session', { recipients_per_session: 3 }, 'This session has reached its sending limit.'],
    ['day', { recipients_per_day: 3 }, 'This embed has reached its sending limit for today.'],
  ] as const)('H52 respects the quota of the %s: all of it or nothing', async (_which, limits, sentence) => {
    const site = await createTestEmbed(server, { limits })
    const token = await site.token()
    const id = await refused(site, token, [person(), person()])
    expect(await retry(site, token, id)).toEqual([429, sentence])
    expect(await statesOf(id)).toEqual(['failed', 'failed'])
    expect(await countsOf(site)).toEqual({ today: 2, messages: 1, recipients: 2 })
  })

  it('requested many times concurrently sends once', async () => {
    const site = await createTestEmbed(server)
    const token = await site.token()
    const ann = person()
    const id = await refused(site, token, [ann])
    const answers = await Promise.all([1, 2, 3, 4].map(() => retry(site, token, id)))
    expect(answers.map(([, resent]) => resent).sort()).toEqual([0, 0, 0, 1])
    expect((await countsOf(site)).recipients).toBe(2)
    expect(await server.mailsTo(ann, 2)).toHaveLength(2)
  })

  it('does not send to addresses suppressed meanwhile', async () => {
    const site = await createTestEmbed(server)
    const token = await site.token()
    const ann = person()
    const id = await refused(site, token, [ann])
    await server.call('POST', '/email/suppressions', { token: site.user.token, body: { emails: [ann] } })
    expect(await retry(site, token, id)).toEqual([200, 0])
    expect(await statesOf(id)).toEqual(['failed'])
    expect((await countsOf(site)).recipients).toBe(1)
  })
})

describe('H52 a retry from a page of a message that the session has not sent', () => {
  const notFound = [404, 'No message has this id.']

  it('is rejected for another session’s, unless it is the same user’s in the same page', async () => {
    const site = await createTestEmbed(server)
    const id = await refused(site, await site.token({ user_ref: 'till-1' }), [person()])
    expect(await retry(site, await site.token({ user_ref: 'till-2' }), id)).toEqual(notFound)
    expect(await retry(site, await site.token(), id)).toEqual(notFound)
    expect(await statesOf(id)).toEqual(['failed'])
    expect(await retry(site, await site.token({ user_ref: 'till-1' }), id)).toEqual([200, 1])
  })

  it('is rejected for messages of the secret key, and for another embed’s', async () => {
    const [site, other] = [await createTestEmbed(server), await createTestEmbed(server)]
    const body = { recipient_list: [person()], subject: 'x', content: 'x' }
    const plain = await server.call('POST', `/api/send-mail/${site.user.secretKey}`, { body })
    const token = await site.token({ user_ref: 'till-1' })
    expect(await retry(site, token, plain.body.id as string)).toEqual(notFound)
    const id = await refused(other, await other.token({ user_ref: 'till-1' }), [person()])
    expect(await retry(site, token, id)).toEqual(notFound)
    expect(await retry(site, token, 'no-id')).toEqual(notFound)
  })

  it('is rejected without mail:send, and from a mailbox removed from the embed', async () => {
    const site = await createTestEmbed(server)
    const token = await site.token({ user_ref: 'till-1' })
    const id = await refused(site, token, [person()])
    const reader = await site.token({ user_ref: 'till-1', scopes: ['templates:read'] })
    expect(await retry(site, reader, id)).toEqual([403, 'This embed session does not have the scope mail:send.'])
    const change = { token: site.user.token, body: { config_ids: [] } }
    expect((await server.call('PATCH', `/embeds/${site.embed.id}`, change)).status).toBe(200)
    expect((await retry(site, token, id))[0]).toBe(404)
    expect(await statesOf(id)).toEqual(['failed'])
  })

  it('is rejected for a user’s own token of another workspace', async () => {
    const site = await createTestEmbed(server)
    const id = await refused(site, await site.token(), [person()])
    const otherUser = await createUser(server)
    expect((await server.call('POST', `/email/messages/${id}/retry`, { token: otherUser.token })).status).toBe(404)
  })
})
