import { beforeAll, describe, expect, it } from 'vitest'
import type { ValidationItem } from '../../../contract/core/errors.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
const server = await useServer()
beforeAll(async () => {
  user = await createUser(server)
})

const call = (method: string, path: string, body: object) => server.call(method, path, { token: user.token, body })
const rowCounts = async () =>
  (
    await server.sql(`select (select count(*) from campaigns)::int as campaigns, (select count(*) from messages)::int as messages,
      (select count(*) from deliveries)::int as deliveries, (select count(*) from templates)::int as templates,
      (select count(*) from suppressions)::int as suppressions, (select count(*) from embeds)::int as embeds`)
  )[0]
const mail = { recipient_list: ['reader@example.com'], subject: 'Hello', content: 'Good morning.' }
const fault = (path: string[], remedy: string): ValidationItem => ({
  loc: ['body', ...path],
  msg: `${path.join('.')} is not a field of this call; ${remedy}`,
  type: 'unknown_field',
})

describe('an unknown field in the body of a product call', () => {
  it('TRIAL-31 returns 422 that names it, writes no row and sends no mail', async () => {
    const before = await rowCounts()
    const sent = { html: `/email/send-mail/${user.secretKey}`, api: `/api/send-mail/${user.secretKey}` }
    for (const [method, path, body, ...field] of [
      ['POST', '/email/campaign', { subject: 'News', content: '<p>Hi</p>', config_id: user.mailboxId }, 'content'],
      ['POST', sent.html, { ...mail, subjekt: 'Hello' }, 'subjekt'],
      ['POST', sent.html, { ...mail, copies: ['boss@example.com'] }, 'copies'],
      ['POST', sent.api, { ...mail, files: [] }, 'files'],
      ['POST', '/email/template', { subject: 'News', body: '<p>Hi</p>', tags: ['name'] }, 'tags'],
      ['POST', '/email/suppressions', { emails: ['gone@example.com'], note: 'by phone' }, 'note'],
      [
        'POST',
        '/embeds',
        { name: 'Site', allowed_origins: [], widgets: ['compose'], limits: { per_day: 5 } },
        'limits',
        'per_day',
      ],
      ['PATCH', '/auth/user', { first_name: 'Bea', preferences: { theme: 'dark' } }, 'preferences', 'theme'],
    ] as const) {
      const answer = await server.call(method, path, { ...(path !== sent.api && { token: user.token }), body })
      const msg = expect.stringMatching(`^${field.join('.')} is not a field of this call; `) as string
      const named = { loc: ['body', ...field], msg, type: 'unknown_field' }
      expect([answer.status, answer.body], path).toEqual([422, { detail: [named] }])
    }
    expect(await rowCounts()).toEqual(before)
    expect((await server.call('GET', '/sandbox/messages?to=reader@example.com')).body).toEqual([])
    expect((await server.call('GET', '/auth/user', { token: user.token })).body).toMatchObject({ first_name: 'Ann' })
  })

  it.each([
    ['recipient_lists', 'recipient_list'],
    ['recipientList', 'recipient_list'],
    ['Subject', 'subject'],
    ['contex', 'context'],
    ['html', 'content'],
    ['to', 'recipient_list'],
  ])('TRIAL-32 the message about %s suggests the similar field: %s', async (written, meant) => {
    const { body } = await call('POST', `/email/send-mail/${user.secretKey}`, { ...mail, [written]: 'x' })
    expect(body.detail).toEqual([fault([written], `did you mean ${meant}?`)])
  })

  it('the message about one without a similar field lists the known fields', async () => {
    const { body } = await call('POST', `/email/send-mail/${user.secretKey}`, { ...mail, priority: 1 })
    expect(body.detail).toEqual([
      fault(
        ['priority'],
        'remove it; known are recipient_list, subject, content, context, attachments, tracking, design, mode, preheader, from_name, reply_to, kind, cc, bcc, undo_seconds, scheduled_at, timezone, is_test',
      ),
    ])
  })

  it('is listed with the other errors of the body', async () => {
    const { body } = await call('POST', `/email/send-mail/${user.secretKey}`, { recipients: ['a@example.com'] })
    expect((body.detail as ValidationItem[]).map(({ loc, type }) => [loc[1], type])).toEqual([
      ['recipient_list', 'missing'],
      ['subject', 'missing'],
      ['recipients', 'unknown_field'],
    ])
  })

  it('in a line of recipients rejects that line and adds the others', async () => {
    const { body: campaign } = await call('POST', '/email/campaign', {
      subject: 'News',
      body: '<p>Hi</p>',
      config_id: user.mailboxId,
    })
    const { body } = await server.call('POST', `/email/campaign/${campaign.id}/recipients`, {
      token: user.token,
      raw: '{"email":"ann@example.com","name":"Ann"}\n{"email":"bea@example.com"}',
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(body).toMatchObject({
      added: 1,
      refused: 1,
      refusals: [{ line: 1, reason: expect.stringContaining('name is not a field of a recipient') as string }],
    })
  })

  it('is truncated when it is long, and at most 100 are listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`${'x'.repeat(100)}${at}`, at]))
    const { status, body } = await call('POST', `/email/send-mail/${user.secretKey}`, { ...mail, ...many })
    const detail = body.detail as ValidationItem[]
    expect(status).toBe(422)
    expect(detail.length).toBeLessThanOrEqual(100)
    expect(detail[0]!.loc[1]).toBe(`${'x'.repeat(64)}…`)
  })

  it('is excluded by the description: GET /openapi.json closes the bodies of product calls and leaves sign-up open', async () => {
    const { paths } = (await server.call('GET', '/openapi.json')).body
    const shapeOf = (path: string) => paths[path].post.requestBody.content['application/json'].schema
    expect(shapeOf('/email/campaign').additionalProperties).toBe(false)
    expect(shapeOf('/auth/')).not.toHaveProperty('additionalProperties')
  })
})

describe('the account calls without a sign-in', () => {
  it('TRIAL-33 ignore extra fields: sign-up with role returns 201 and grants the usual rights', async () => {
    const person = { first_name: 'Ann', last_name: 'Lee', password: 'correct horse' }
    const roles = []
    for (const [email, extra] of [
      ['plain@example.com', {}],
      [
        'role@example.com',
        { role: 'admin', confirmed_email: true, workspace_id: '00000000-0000-4000-8000-000000000000' },
      ],
    ] as const) {
      const made = await server.call('POST', '/auth/', { body: { ...person, email, ...extra } })
      const signedIn = await server.call('POST', '/auth/login', {
        body: { email, password: person.password, ...extra },
      })
      expect([made.status, signedIn.status, signedIn.body.confirmed_email]).toEqual([201, 200, false])
      const seen = await server.call('GET', '/auth/user', { token: signedIn.body.access_token as string })
      roles.push({ role: seen.body.workspace.role as string, confirmed: seen.body.confirmed_email as boolean })
    }
    expect(roles[1]).toEqual(roles[0])
  })
})
