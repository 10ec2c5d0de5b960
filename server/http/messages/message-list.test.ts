import { simpleParser } from 'mailparser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../../contract/core/errors.ts'
import type { ListedMessage, Message, MessageContentView } from '../../../contract/mail/message.ts'
import { createUser, signUpUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

const nowhere = '5f0c1d3e-0000-4000-8000-000000000000'
let sink: SmtpSink
let server: TestServer
let user: TestUser
let mailbox: { id: string; secret_key: string }
beforeAll(async () => {
  sink = await startSmtpSink({ onRecipient: (to) => (to.startsWith('gone') ? '550 5.1.1 No such user' : undefined) })
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await signUpUser(server)
  await call('PATCH', '/workspace', { postal_address: 'Main Street 1' })
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const config = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  mailbox = (await call('POST', '/email/config', config)).body as typeof mailbox
  await send('/email/send-mail/', { recipient_list: ['ada@example.org', 'gone@example.org'], subject: 'From the desk' })
  await send('/api/send-mail/', { recipient_list: ['bo@example.org'], subject: 'From code' })
  const campaign = { subject: 'To many', body: '<p>x</p>', config_id: mailbox.id, recipients: ['ada@example.org'] }
  await call('POST', '/email/campaign', campaign)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const call = (method: string, path: string, body?: object, token = user.token) =>
  server.call(method, path, { token, ...(body && { body }) })
const send = (path: string, mail: object) => {
  const content = '<p>Dear {{name}}, <a href="https://example.com">here</a></p><script>1</script>'
  return call('POST', path + mailbox.secret_key, { content, context: { name: 'A & B' }, ...mail })
}
const list = async (query = '') => (await call('GET', `/email/messages?${query}`)).body as ListedMessage[]
const subjects = async (query: string) => (await list(query)).map(({ subject }) => subject)

describe('the list of messages', () => {
  it('MESSAGES-03 never lists account mails: confirmation and reset', async () => {
    await server.call('GET', `/auth/reset-password/${encodeURIComponent(user.email)}`)
    await expect.poll(async () => (await server.mailsTo(user.email)).length).toBeGreaterThan(1)
    expect(await subjects('')).toEqual(['From code', 'From the desk'])
    const ofAccounts = await server.sql<{ id: string }>(
      'select distinct message_id as id from deliveries where recipient = $1',
      [user.email],
    )
    expect(ofAccounts.length).toBeGreaterThan(1)
    const found = await Promise.all(ofAccounts.map(({ id }) => call('GET', `/email/messages/${id}`)))
    expect(found.map(({ status }) => status)).toEqual(ofAccounts.map(() => 404))
  })

  it('MESSAGES-02 does not list mails of a campaign', async () => {
    expect(await subjects('')).toEqual(['From code', 'From the desk'])
  })

  it('does not list test mails', async () => {
    const test = { recipient_list: ['ada@example.org'], subject: 'Only a test', is_test: true }
    expect((await send('/email/send-mail/', test)).status).toBe(200)
    await expect.poll(() => sink.mails.filter(({ to }) => to.includes('ada@example.org')).length).toBe(2)
    expect(await subjects('')).toEqual(['From code', 'From the desk'])
  })

  it('MESSAGES-04 a search for the full address of a recipient finds every message sent to it', async () => {
    expect(await subjects('search=GONE@example.org')).toEqual(['From the desk'])
  })

  it('MESSAGES-05 is filtered by origin, mailbox, state and date range, which can be combined', async () => {
    expect(await subjects('origin=api')).toEqual(['From code'])
    expect(await subjects('state=failed')).toEqual(['From the desk'])
    expect(await subjects('state=failed&origin=api')).toEqual([])
    expect(await subjects(`config_id=${nowhere}`)).toEqual([])
    expect(await subjects(`config_id=${mailbox.id}&origin=dashboard`)).toEqual(['From the desk'])
    expect(await subjects('from=2020-01-01T00:00:00Z')).toHaveLength(2)
    expect(await subjects('to=2020-01-01T00:00:00Z')).toEqual([])
  })

  it('MESSAGES-06 an altered cursor answers 422 cursor_invalid', async () => {
    const first = await call('GET', '/email/messages?limit=1')
    const cursor = first.headers.get('x-next-cursor') ?? ''
    expect(await subjects(`limit=1&cursor=${cursor}`)).toEqual(['From the desk'])
    const altered = `${cursor.slice(0, 5)}${cursor[5] === 'A' ? 'B' : 'A'}${cursor.slice(6)}`
    const answer = await call('GET', `/email/messages?cursor=${altered}`)
    expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'cursor_invalid'])
  })
})

it('the total of a list of messages counts up to 1,000', async () => {
  const other = await createUser(server)
  const add = (count: number) =>
    server.sql(
      `insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
       select gen_random_uuid(), $1, $2, 'ann@example.com', 'Hi', 'Hi', false, '{}' from generate_series(1, $3::int)`,
      [other.workspaceId, other.mailboxId, count],
    )
  const total = async () => {
    const { headers } = await call('GET', '/email/messages?limit=1', undefined, other.token)
    return headers.get('x-total-count')
  }
  await add(999)
  expect(await total()).toBe('999')
  await add(2)
  expect(await total()).toBe('1000')
})

describe('the content of a message', () => {
  const content = (id: string, deliveryId: string, token = user.token) =>
    call('GET', `/email/messages/${id}/recipients/${deliveryId}/content`, undefined, token)
  const desk = async () => {
    const [found] = await list('origin=dashboard')
    return (await call('GET', `/email/messages/${found!.id}`)).body as Message
  }

  it('MESSAGES-07 is the mail as it was sent to the chosen recipient: HTML, text and headers', async () => {
    const { id, deliveries } = await desk()
    const [{ html, text, headers }, sent] = await Promise.all([
      content(id, deliveries[0]!.id!).then(({ body }) => body as MessageContentView),
      simpleParser(sink.mails.find(({ to }) => to.includes('ada@example.org'))!.raw, { keepCidLinks: true }),
    ])
    expect(html).toContain('Dear A &amp; B,')
    expect([html, text].map((part) => part!.trim())).toEqual([sent.html, sent.text].map((part) => String(part).trim()))
    const unfolded = sent.headerLines.map(({ line }) => line.replaceAll(/\r\n(?=\s)/g, ''))
    const shown = headers.filter(({ name }) => !name.startsWith('List-')).map(({ name, value }) => `${name}: ${value}`)
    expect(unfolded).toEqual(expect.arrayContaining(shown.filter((line) => !line.startsWith('Date: '))))
    expect(headers.map(({ name }) => name)).toEqual(
      unfolded.map((line) => line.slice(0, line.indexOf(':'))).filter((name) => !/^(mime|content)-/i.test(name)),
    )
  })

  it('MESSAGES-14 of a message whose content has been dropped answers 410 content_gone', async () => {
    await send('/api/send-mail/', { recipient_list: ['old@example.org'], subject: 'Long ago' })
    const [{ id }] = (await list('search=old@example.org')) as [ListedMessage]
    const { deliveries } = (await call('GET', `/email/messages/${id}`)).body as Message
    await server.sql('delete from deliveries where message_id = $1', [id])
    const answer = await content(id, deliveries[0]!.id!)
    expect([answer.status, answer.body.detail]).toEqual([410, errors.content_gone.sentence])
  })

  it('MESSAGES-13 answers the same 404 message_not_found for an unknown message and for one of another workspace', async () => {
    const { id, deliveries } = await desk()
    const other = await signUpUser(server)
    const unknown = await content(nowhere, '1')
    const foreign = await content(id, deliveries[0]!.id!, other.token)
    expect([unknown.status, unknown.body.detail]).toEqual([404, errors.message_not_found.sentence])
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text])
  })
})
