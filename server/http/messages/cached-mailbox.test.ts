import { beforeEach, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

let user: TestUser
const server = await useServer()
beforeEach(async () => {
  user = await createUser(server)
  expect((await send()).status).toBe(200)
})

const send = (changes: object = {}, key = user.secretKey) =>
  server.call('POST', `/api/send-mail/${key}`, {
    body: { recipient_list: ['a@example.com'], subject: 'Hello', content: 'Hi', ...changes },
  })
/** As another process does it. */
const update = (change: string) => server.sql(`update email_configs set ${change} where id = $1`, [user.mailboxId])
const countMessages = async () =>
  (
    await server.sql<{ count: number }>('select count(*)::int as count from messages where config_id = $1', [
      user.mailboxId,
    ])
  )[0]?.count

describe('a recently used key', () => {
  it('is unknown once its mailbox is deleted, on any call', async () => {
    await update('deleted_at = now()')
    const answers = [await send(), await send({ content: '' }), await send({ content: '{{open' })]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(await countMessages()).toBe(1)
  })

  it('is rejected while its mailbox is paused, and valid again when it is resumed', async () => {
    await update("status = 'paused', pause_reason = 'A password is refused.'")
    expect(await send()).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('A password is refused.') },
    })
    await update("status = 'active'")
    expect((await send()).status).toBe(200)
    expect(await countMessages()).toBe(2)
  })

  it('is unknown once it was replaced and its day is over', async () => {
    await update(
      "old_key_lookup = secret_key_lookup, old_key_until = now() + interval '1 day', secret_key_lookup = '\\x00'",
    )
    expect((await send()).status).toBe(200)
    await update("old_key_until = now() - interval '1 second'")
    expect((await send()).status).toBe(404)
  })

  it('sends from the current address of its mailbox', async () => {
    await update("email_address = 'renamed@example.com'")
    const { id } = (await send()).body as { id: string }
    const message = await server.call('GET', `/email/messages/${id}`, { token: user.token })
    expect(message.body.from).toBe('renamed@example.com')
  })

  it('returns the same validation errors as the first time', async () => {
    expect((await send({ content: '{{open' })).status).toBe(422)
    expect((await send()).status).toBe(200)
  })

  it('is unknown for a repeated response', async () => {
    const call = () =>
      server.call('POST', `/api/send-mail/${user.secretKey}`, {
        body: { recipient_list: ['a@example.com'], subject: 'Hello', content: 'Hi' },
        headers: { 'idempotency-key': 'once' },
      })
    expect((await call()).status).toBe(200)
    await update('deleted_at = now()')
    expect((await call()).status).toBe(404)
  })
})
