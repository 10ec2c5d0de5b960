import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeHostedKey } from '../../../tests/support/hosted.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer()

let count = 0
const fresh = () => `key-${++count}`
/** The state left by a process that crashed a minute ago between the commit and the response. */
const lose = (key: string) =>
  server.sql(
    `update idempotency_keys set state = 'started', answer_sealed = null, started_at = now() - interval '61 seconds'
     where key = $1`,
    [key],
  )

describe('an Idempotency-Key of the hosted data backend', () => {
  let operator: string
  beforeAll(async () => {
    operator = (await makeHostedKey(server, 'write')).key
  })
  beforeEach(() => server.sql('delete from hosted_documents'))

  const create = (key: string, body: object, apiKey = operator) =>
    server.call('POST', '/collections/documents?collection=news', {
      body,
      headers: { 'x-api-key': apiKey, 'idempotency-key': key },
    })
  const documents = () => server.sql('select id from hosted_documents')

  it.each([
    ['an id of the server', {}],
    ['an id that was given', { id: 'doors' }],
  ])('creates one document with %s, also after a crash following the commit', async (_what, given) => {
    const [key, body] = [fresh(), { data: { title: 'Doors open' }, ...given }]
    const first = await create(key, body)
    const second = await create(key, body)
    expect([first.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true'])
    await lose(key)
    const again = await create(key, body)
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await documents()).toEqual([{ id: first.body.id }])
  })

  it('rejects a document that another caller has created meanwhile', async () => {
    const [key, body] = [fresh(), { data: { title: 'Doors open' }, id: 'doors' }]
    await create(key, body)
    await lose(key)
    await server.sql(`update hosted_documents set data = '{"title": "Another"}'`)
    expect((await create(key, body)).status).toBe(409)
  })

  it('is scoped to the API key, and rejects another body', async () => {
    const [key, body] = [fresh(), { data: { title: 'Doors open' } }]
    await create(key, body)
    expect((await create(key, { data: { title: 'Closed' } })).status).toBe(422)
    const theirs = await create(key, body, (await makeHostedKey(server, 'write')).key)
    expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(await documents()).toHaveLength(2)
  })

  it('creates one user, and rejects the address for another call', async () => {
    const body = { email: 'hosted@example.com', password: 'correct horse' }
    const signUp = (key: string) =>
      server.call('POST', '/auth-collections/signup', {
        body,
        headers: { 'x-api-key': operator, 'idempotency-key': key },
      })
    const key = fresh()
    const first = await signUp(key)
    expect((await signUp(key)).text).toBe(first.text)
    await lose(key)
    const again = await signUp(key)
    expect([again.status, again.body.user]).toEqual([201, first.body.user])
    expect((await signUp(fresh())).status).toBe(409)
    const rows = await server.sql<{ row: string }>('select k::text as row from idempotency_keys k')
    expect(rows.map(({ row }) => row).join()).not.toMatch(/hu_|correct horse/)
  })
})

describe('an Idempotency-Key of a member', () => {
  it('retries failed deliveries once', async () => {
    const own = await createUser(server)
    await server.call('PATCH', `/email/configs/${own.mailboxId}`, { token: own.token, body: { status: 'paused' } })
    const [message] = await server.sql<{ id: string }>(
      `with message as (
         insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
         select gen_random_uuid(), workspace_id, id, email_address, 'Hello', 'Hi', false, '{}' from email_configs where id = $1
         returning id, workspace_id, config_id
       )
       insert into deliveries (month, workspace_id, message_id, config_id, recipient, state, settled_at)
       select date_trunc('month', now() at time zone 'utc')::date, workspace_id, id, config_id, 'a@example.com', 'failed', now()
       from message returning message_id as id`,
      [own.mailboxId],
    )
    const id = message!.id
    const key = fresh()
    const retry = () =>
      server.call('POST', `/email/messages/${id}/retry`, { token: own.token, headers: { 'idempotency-key': key } })
    const first = await retry()
    expect([first.status, first.body.resent]).toEqual([200, 1])
    await server.sql(`update deliveries set state = 'failed' where message_id = $1`, [id])
    expect((await retry()).text).toBe(first.text)
    const states = await server.sql<{ state: string }>('select state from deliveries where message_id = $1', [id])
    expect(states).toEqual([{ state: 'failed' }])
  })

  it('creates one new secret key for a mailbox, so that the old one stays valid, also after a crash', async () => {
    const own = await createUser(server)
    const key = fresh()
    const rotate = () =>
      server.call('POST', `/email/configs/${own.mailboxId}/secret-key`, {
        token: own.token,
        headers: { 'idempotency-key': key },
      })
    const first = await rotate()
    const second = await rotate()
    expect([first.status, second.text]).toEqual([200, first.text])
    expect(first.body.secret_key).not.toBe(own.secretKey)
    await lose(key)
    const again = await rotate()
    expect([again.headers.get('idempotency-replayed'), again.body]).toEqual([null, first.body])
    for (const secretKey of [own.secretKey, second.body.secret_key as string]) {
      const body = { recipient_list: ['a@example.com'], subject: 'Hello', content: 'Hi' }
      expect((await server.call('POST', `/api/send-mail/${secretKey}`, { body })).status).toBe(200)
    }
  })
})
