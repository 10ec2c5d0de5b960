import { beforeAll, describe, expect, it } from 'vitest'
import type { EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import { errors } from '../../../contract/core/errors.ts'
import { createTestEmbed, siteOrigin, type TestEmbed } from '../../../tests/support/embeds.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { type Answer, useServer } from '../../../tests/support/server.ts'

let one: TestEmbed
const server = await useServer()
beforeAll(async () => {
  one = await createTestEmbed(server)
})

const aliasOf = async (token: string, by = one): Promise<string> =>
  ((await by.from(token, 'GET', '/email/configs')).body as { secret_key: string }[])[0]!.secret_key
const mailTo = (...recipients: string[]) => ({ recipient_list: recipients, subject: 'Hello', content: '<p>Hi</p>' })
async function send(token: string, body: object, by = one, headers: Record<string, string> = {}): Promise<Answer> {
  return by.from(token, 'POST', `/email/send-mail/${await aliasOf(token, by)}`, { body, headers })
}
const auditOf = async ({ user, embed }: TestEmbed) =>
  (await server.call('GET', `/embeds/${embed.id}/audit`, { token: user.token })).body as Record<string, unknown>[]

describe('a message from a page', () => {
  it('is sent with the alias, followed by its own session, and recorded in the activity', async () => {
    const site = await createTestEmbed(server)
    const token = await site.token({ user_ref: 'till-2' })
    const { status, body } = await send(token, mailTo('page-1@example.org', 'page-2@example.org'), site)
    expect([status, body.accepted]).toEqual([200, 2])
    await server.mailsTo('page-1@example.org')
    const followed = await site.from(token, 'GET', `/email/messages/${body.id as string}`)
    expect(followed.body).toMatchObject({ subject: 'Hello', counts: { sent: 2 } })
    expect(await auditOf(site)).toMatchObject([
      {
        act: 'message-sent',
        message_id: body.id,
        subject: 'Hello',
        recipients: 2,
        user_ref: 'till-2',
        origin: siteOrigin,
      },
    ])
    const listed = await server.call('GET', `/embeds/${site.embed.id}`, { token: site.user.token })
    expect(listed.body.recipients_today).toBe(2)
  })

  it('TRIAL-38 has the same size limit as every send call, with the same response', async () => {
    const token = await one.token()
    const body = {
      ...mailTo('page-large@example.org'),
      content: '{{a}}'.repeat(10_000),
      context: { a: 'x'.repeat(10_000) },
    }
    const refused = await send(token, body)
    const direct = await server.call('POST', `/email/send-mail/${one.user.secretKey}`, { token: one.user.token, body })
    expect([refused.status, refused.body]).toEqual([422, direct.body])
    expect(refused.body.detail).toMatchObject([{ loc: ['body', 'context', 'a'], type: 'mail_too_large' }])
    expect(refused.body.detail[0].msg).toContain('page-large@example.org')
    expect((await server.call('GET', '/sandbox/messages?to=page-large@example.org')).body).toEqual([])
    const subject = await send(token, { ...mailTo('page-large@example.org'), subject: '{{a}}', context: body.context })
    expect([subject.status, subject.body.detail[0].type]).toEqual([422, 'mail_too_large'])
    expect((await send(token, { ...body, content: '{{a}}'.repeat(100) })).status).toBe(200)
    expect(await server.mailsTo('page-large@example.org')).toHaveLength(1)
  })

  it('is rejected with another session’s alias, and with the secret key', async () => {
    const [token, other] = [await one.token(), await one.token()]
    const paths = [await aliasOf(other), one.user.secretKey, `eh_${'x'.repeat(43)}`]
    for (const key of paths) {
      const answer = await one.from(token, 'POST', `/email/send-mail/${key}`, { body: mailTo('a@example.org') })
      expect(answer.status).toBe(404)
    }
    const alias = await aliasOf(token)
    expect((await server.call('POST', `/api/send-mail/${alias}`, { body: mailTo('a@example.org') })).status).toBe(404)
    const byPerson = { token: one.user.token, body: mailTo('a@example.org') }
    expect((await server.call('POST', `/email/send-mail/${alias}`, byPerson)).status).toBe(404)
  })

  it('of another session is not shown, unless it is the same user’s in the same page', async () => {
    const sent = await send(await one.token({ user_ref: 'till-1' }), mailTo('own@example.org'))
    const path = `/email/messages/${sent.body.id as string}`
    expect((await one.from(await one.token({ user_ref: 'till-1' }), 'GET', path)).status).toBe(200)
    expect((await one.from(await one.token({ user_ref: 'till-2' }), 'GET', path)).status).toBe(404)
    expect((await one.from(await one.token(), 'GET', path)).status).toBe(404)
    const plain = await server.call('POST', `/api/send-mail/${one.user.secretKey}`, { body: mailTo('b@example.org') })
    const ofServer = `/email/messages/${plain.body.id as string}`
    expect((await one.from(await one.token({ user_ref: 'till-1' }), 'GET', ofServer)).status).toBe(404)
  })

  it('has figures for its own session only, with the scope reports:read, where it is tracked by recipient', async () => {
    const site = await createTestEmbed(server)
    const figuresOf = async (id: string, ...scopes: EmbedScope[]) => {
      const token = await site.token({ user_ref: 'till-5', scopes })
      const { body } = await site.from(token, 'GET', `/email/messages/${id}`)
      return [body.subject, body.opened, body.clicked]
    }
    const tracked = async (tracking: string) => {
      const token = await site.token({ user_ref: 'till-5' })
      const sent = await send(token, { ...mailTo('figures@example.org'), tracking }, site)
      return sent.body.id as string
    }
    const id = await tracked('identified')
    expect(await figuresOf(id, 'mail:send', 'reports:read')).toEqual(['Hello', 0, 0])
    expect(await figuresOf(id, 'mail:send')).toEqual(['Hello', undefined, undefined])
    expect(await figuresOf(await tracked('counts'), 'mail:send', 'reports:read')).toEqual([
      'Hello',
      undefined,
      undefined,
    ])
    const foreign = await site.token({ user_ref: 'till-6', scopes: ['mail:send', 'reports:read'] })
    expect((await site.from(foreign, 'GET', `/email/messages/${id}`)).status).toBe(404)
    const onlyReports = await site.token({ user_ref: 'till-5', scopes: ['reports:read'] })
    expect((await site.from(onlyReports, 'GET', `/email/messages/${id}`)).status).toBe(403)
  })

  it('repeated with its Idempotency-Key is one, in a renewed session too', async () => {
    const person = { user_ref: 'till-3' }
    const headers = { 'idempotency-key': 'k-1' }
    const body = mailTo('once@example.org')
    const first = await send(await one.token(person), body, one, headers)
    const again = await send(await one.token(person), body, one, headers)
    expect([again.body.id, again.headers.get('idempotency-replayed')]).toEqual([first.body.id, 'true'])
    const someoneElse = await send(await one.token({ user_ref: 'till-4' }), body, one, headers)
    expect(someoneElse.body.id).not.toBe(first.body.id)
  })
})

describe('quotas', () => {
  const refusal = async (token: string, body: object, by: TestEmbed) => {
    const answer = await send(token, body, by)
    return [answer.status, answer.body.detail, answer.headers.has('retry-after')]
  }
  const ofSession = [429, 'This session has reached its sending limit.', false]
  const ofDay = [429, 'This embed has reached its sending limit for today.', true]

  it('of a session apply to messages and recipients, and never exceed the embed’s', async () => {
    const site = await createTestEmbed(server, { limits: { messages_per_session: 2, recipients_per_session: 3 } })
    const wide = await site.token({ limits: { messages: 1000, recipients: 10_000 } })
    expect(await refusal(wide, mailTo('a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'), site)).toEqual(
      ofSession,
    )
    expect((await send(wide, mailTo('a@x.example'), site)).status).toBe(200)
    expect((await send(wide, mailTo('b@x.example'), site)).status).toBe(200)
    expect(await refusal(wide, mailTo('c@x.example'), site)).toEqual(ofSession)
    const narrow = await site.token({ limits: { messages: 1 } })
    expect((await send(narrow, mailTo('a@x.example'), site)).status).toBe(200)
    expect(await refusal(narrow, mailTo('a@x.example'), site)).toEqual(ofSession)
  })

  it('of an embed apply to all of its sessions, per day', async () => {
    const site = await createTestEmbed(server, { limits: { recipients_per_day: 2 } })
    expect((await send(await site.token(), mailTo('a@x.example', 'b@x.example'), site)).status).toBe(200)
    expect(await refusal(await site.token(), mailTo('c@x.example'), site)).toEqual(ofDay)
    await server.sql(`update embed_usage set day = day - 1 where embed_id = $1`, [site.embed.id])
    expect((await send(await site.token(), mailTo('c@x.example'), site)).status).toBe(200)
  })

  it('apply to concurrent sends', async () => {
    const site = await createTestEmbed(server, { limits: { recipients_per_day: 5 } })
    const token = await site.token()
    const alias = await aliasOf(token, site)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        site.from(token, 'POST', `/email/send-mail/${alias}`, { body: mailTo(`many-${at}@x.example`) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    expect(await auditOf(site)).toHaveLength(5)
  })

  it('are not used by rejected calls', async () => {
    const site = await createTestEmbed(server, { limits: { messages_per_session: 1 } })
    const token = await site.token()
    expect((await send(token, mailTo('no address'), site)).status).toBe(422)
    expect((await send(token, { ...mailTo('a@x.example'), content: ' ' }, site)).status).toBe(422)
    expect(await auditOf(site)).toEqual([])
    expect((await send(token, mailTo('a@x.example'), site)).status).toBe(200)
  })
})

/** Each ends a session within its own call: the session's next call, sent right after, is rejected. */
describe('H52 a session ends at once', () => {
  const refused = async (site: TestEmbed, token: string) => {
    const answer = await site.from(token, 'GET', '/email/configs')
    return [answer.status, (answer.body as { detail?: string }).detail]
  }
  const ended = [401, errors.embed_session_ended.sentence]
  const ways: [string, (site: TestEmbed) => Promise<unknown>][] = [
    [
      'when its owner ends it',
      (site) => server.call('DELETE', `/embeds/${site.embed.id}/sessions`, { token: site.user.token }),
    ],
    [
      'when its embed is paused',
      ({ embed, user }) =>
        server.call('PATCH', `/embeds/${embed.id}`, { token: user.token, body: { status: 'paused' } }),
    ],
    [
      'when its embed is deleted',
      ({ embed, user }) => server.call('DELETE', `/embeds/${embed.id}`, { token: user.token }),
    ],
    [
      'when its origin is taken from the embed',
      ({ embed, user }) =>
        server.call('PATCH', `/embeds/${embed.id}`, { token: user.token, body: { allowed_origins: [] } }),
    ],
    [
      'when the secret key that let it in is deleted',
      ({ user }) => server.call('DELETE', `/email/configs/${user.mailboxId}`, { token: user.token }),
    ],
    [
      'when the secret key that let it in is another',
      ({ user }) => server.call('POST', `/email/configs/${user.mailboxId}/secret-key`, { token: user.token }),
    ],
    ['when its owner sets a new password', ({ user }) => resetPassword(user.email)],
    [
      'when the account is closed',
      ({ user }) =>
        server.call('POST', '/auth/close-account', { token: user.token, body: { password: user.password } }),
    ],
  ]

  it.each(ways)('%s', async (_what, end) => {
    const site = await createTestEmbed(server)
    const token = await site.token()
    expect((await site.from(token, 'GET', '/email/configs')).status).toBe(200)
    await end(site)
    expect(await refused(site, token)).toEqual(ended)
  })

  it('TRIAL-65 a pause returns 401 to the tokens of its sessions, and a resumed embed revives none of them', async () => {
    const site = await createTestEmbed(server)
    const change = (status: 'active' | 'paused') =>
      server.call('PATCH', `/embeds/${site.embed.id}`, { token: site.user.token, body: { status } })
    const tokens = [await site.token(), await site.token({}, site.user.token)]
    await change('paused')
    for (const token of tokens) expect(await refused(site, token)).toEqual(ended)
    await change('active')
    for (const token of tokens) expect(await refused(site, token)).toEqual(ended)
    const { body } = await server.call('GET', `/embeds/${site.embed.id}/sessions`, { token: site.user.token })
    expect(body).toEqual(tokens.map(() => expect.objectContaining({ status: 'ended' }) as object))
    expect((await site.from(await site.token(), 'GET', '/email/configs')).status).toBe(200)
  })

  it('with its origin, which revives none of them when it is allowed again', async () => {
    const site = await createTestEmbed(server)
    const allow = (origins: string[]) =>
      server.call('PATCH', `/embeds/${site.embed.id}`, { token: site.user.token, body: { allowed_origins: origins } })
    const token = await site.token()
    await allow(['https://other.northwind.example'])
    await allow(['https://other.northwind.example', siteOrigin])
    expect(await refused(site, token)).toEqual(ended)
  })

  it('with a pause during the opening of sessions: none of them works once the embed is resumed', async () => {
    const site = await createTestEmbed(server)
    const change = (status: 'active' | 'paused') =>
      server.call('PATCH', `/embeds/${site.embed.id}`, { token: site.user.token, body: { status } })
    const opening = Array.from({ length: 20 }, () => site.open())
    await change('paused')
    const opened = await Promise.all(opening)
    await change('active')
    for (const { status, body } of opened) {
      if (status === 201) expect(await refused(site, body.session_token as string)).toEqual(ended)
      else expect([status, body.detail]).toEqual([409, errors.embed_paused.sentence])
    }
  })

  it('with a new secret key, though the old one opens others for a day, and none after the next', async () => {
    const site = await createTestEmbed(server)
    const rotate = () =>
      server.call('POST', `/email/configs/${site.user.mailboxId}/secret-key`, { token: site.user.token })
    const before = await site.token()
    await rotate()
    expect(await refused(site, before)).toEqual(ended)
    const meanwhile = await site.token()
    expect((await site.from(meanwhile, 'GET', '/email/configs')).status).toBe(200)
    await rotate()
    expect(await refused(site, meanwhile)).toEqual(ended)
    expect((await site.open()).status).toBe(404)
  })

  it('when the consenting user leaves the workspace', async () => {
    const site = await createTestEmbed(server)
    const token = await site.token({}, site.user.token)
    const { email } = await createUser(server)
    await server.sql(
      `update members set user_id = (select id from users where email = $1)
       where user_id = (select id from users where email = $2)`,
      [email, site.user.email],
    )
    expect(await refused(site, token)).toEqual(ended)
  })

  it('in the middle of a stream that it follows', async () => {
    const site = await createTestEmbed(server)
    const token = await site.token()
    const { body } = await send(token, mailTo('stream@example.org'), site)
    const id = (body as { id: string }).id
    // As if the mail server deferred it: the stream would continue.
    await server.sql(
      "update deliveries set state = 'deferred', next_attempt_at = now() + '1 day' where message_id = $1",
      [id],
    )
    const headers = { authorization: `Bearer ${token}`, origin: siteOrigin }
    const stream = await fetch(`${server.url}/email/messages/${id}/events`, { headers })
    const reader = stream.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('event: progress')
    await server.call('DELETE', `/embeds/${site.embed.id}/sessions`, { token: site.user.token })
    expect((await reader.read()).done).toBe(true)
  })

  it('when it expires', async () => {
    const token = await one.token()
    await server.sql("update embed_sessions set expires_at = now() - interval '1 second'")
    expect(await refused(one, token)).toEqual(ended)
  })

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['a new password is set by mail', ({ email }) => resetPassword(email)],
    [
      'a new password is set in the profile',
      ({ token, password }) =>
        server.call('POST', '/auth/change-password', {
          token,
          body: { current_password: password, new_password: 'another horse' },
        }),
    ],
    [
      'the account is closed',
      ({ token, password }) => server.call('POST', '/auth/close-account', { token, body: { password } }),
    ],
  ])('when %s: those of the user’s own token too', async (_what, end) => {
    const site = await createTestEmbed(server)
    const token = await site.token({}, site.user.token)
    await end(site.user)
    expect(await refused(site, token)).toEqual(ended)
  })
})

async function resetPassword(email: string): Promise<void> {
  await server.call('GET', `/auth/reset-password/${encodeURIComponent(email)}`)
  const [mail] = await server.mailsTo(email)
  const token = /rp_[\w-]+/.exec(mail?.html ?? '')?.[0]
  const body = { token, new_password: 'another horse' }
  expect((await server.call('POST', '/auth/update-password', { body })).status).toBe(200)
}
