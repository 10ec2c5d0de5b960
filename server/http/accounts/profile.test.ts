import { describe, expect, it } from 'vitest'
import { createTestEmbed } from '../../../tests/support/embeds.ts'
import { operations } from '../../../contract/core/operations.ts'
import { signUpUser, type TestUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer()

const statusOf = async (token: string) => (await server.call('GET', '/auth/user', { token })).status
const signIn = (email: string, password: string) => server.call('POST', '/auth/login', { body: { email, password } })
const change = (user: TestUser, body: object) => server.call('PATCH', '/auth/user', { token: user.token, body })
const changePassword = (user: TestUser, current: string, next: string) =>
  server.call('POST', '/auth/change-password', {
    token: user.token,
    body: { current_password: current, new_password: next },
  })
const close = (user: TestUser, password = user.password) =>
  server.call('POST', '/auth/close-account', { token: user.token, body: { password } })

describe("the user's own name and preferences", () => {
  it('are changed one by one, and persist', async () => {
    const user = await signUpUser(server)
    expect((await change(user, { first_name: ' Ada ' })).body).toMatchObject({ first_name: 'Ada', last_name: 'Lee' })
    await change(user, { preferences: { sidebar: 'collapsed' } })
    await change(user, { preferences: { scheme: 'dark' } })
    const { body } = await server.call('GET', '/auth/user', { token: user.token })
    expect(body).toMatchObject({
      first_name: 'Ada',
      has_password: true,
      preferences: { sidebar: 'collapsed', scheme: 'dark' },
    })
  })

  it.each([
    [{ first_name: '  ' }, 'first_name'],
    [{ last_name: 'x'.repeat(101) }, 'last_name'],
    [{ preferences: { scheme: 'pink' } }, 'scheme'],
  ])('%j returns 422 and names the field', async (body, field) => {
    const user = await signUpUser(server)
    const answer = await change(user, body)
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc).toContain(field)
  })

  it('reject fields of others', async () => {
    const user = await signUpUser(server)
    await change(user, { email: 'other@example.com', id: 'x', role: 'admin', preferences: { evil: 'x' } })
    const { body } = await server.call('GET', '/auth/user', { token: user.token })
    expect(body).toMatchObject({ email: user.email, preferences: {} })
  })
})

describe('a password change', () => {
  it('ends every other session and notifies the owner by mail', async () => {
    const user = await signUpUser(server)
    const other = (await signIn(user.email, user.password)).body.access_token as string
    expect((await changePassword(user, user.password, 'a new password')).status).toBe(204)
    expect([await statusOf(user.token), await statusOf(other)]).toEqual([200, 401])
    expect((await signIn(user.email, user.password)).status).toBe(401)
    expect((await signIn(user.email, 'a new password')).status).toBe(200)
    const [mail] = await server.mailsTo(user.email, 2)
    expect(mail?.subject).toBe('Your password was changed')
  })

  it('requires the current one, and limits guesses', async () => {
    const user = await signUpUser(server)
    const wrong = await changePassword(user, 'not mine', 'a new password')
    expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringContaining('current password') } })
    for (let count = 0; count < 4; count++) await changePassword(user, 'not mine', 'a new password')
    const answer = await changePassword(user, user.password, 'a new password')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await signIn(user.email, user.password)).status).toBe(200)
  })

  it('to fewer than six characters returns 422', async () => {
    const user = await signUpUser(server)
    expect((await changePassword(user, user.password, '12345')).status).toBe(422)
  })

  it('is rejected for an account without a password', async () => {
    const user = await signUpUser(server)
    await server.sql('update users set password_hash = null where email = $1', [user.email])
    expect((await changePassword(user, '', 'a new password')).status).toBe(409)
    expect((await close(user, '')).status).toBe(409)
  })
})

describe('closing an account', () => {
  it('H17 revokes the bearer token on every call, and the secret key with it', async () => {
    const user = await signUpUser(server)
    expect((await close(user)).status).toBe(204)
    const calls = operations.filter(({ access }) => access === 'account' || access === 'member')
    const answers = await Promise.all(
      calls.map(async ({ method, path }) => {
        const options = { token: user.token, ...(method !== 'GET' && { body: {} }) }
        return (await server.call(method, path.replaceAll(/\{\w+\}/g, 'x'), options)).status
      }),
    )
    expect(new Set(answers)).toEqual(new Set([401]))
    const body = { recipient_list: ['a@example.com'], subject: 'Hi', content: 'Hi' }
    expect((await server.call('POST', `/api/send-mail/${user.secretKey}`, { body })).status).toBe(404)
    expect((await signIn(user.email, user.password)).status).toBe(401)
  })

  it('H17 ends the sessions of its embeds, opened by any user', async () => {
    const one = await createTestEmbed(server)
    const tokens = [await one.token(), await one.token({}, one.user.token)]
    const statuses = () =>
      Promise.all(tokens.map(async (token) => (await one.from(token, 'GET', '/email/configs')).status))
    expect(await statuses()).toEqual([200, 200])
    await close(one.user)
    expect(await statuses()).toEqual([401, 401])
  })

  it('erases the secrets of its mailboxes and cancels queued deliveries', async () => {
    const user = await signUpUser(server)
    await server.call('PATCH', `/email/configs/${user.mailboxId}`, { token: user.token, body: { status: 'paused' } })
    await server.sql(
      `with message as (
         insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
         select gen_random_uuid(), workspace_id, id, email_address, 's', 'c', false, '{}' from email_configs where id = $1
         returning id, workspace_id, config_id
       ) insert into deliveries (month, workspace_id, message_id, config_id, recipient)
         select date_trunc('month', now() at time zone 'utc')::date, workspace_id, id, config_id, 'a@example.com' from message`,
      [user.mailboxId],
    )
    await close(user)
    const [row] = await server.sql(
      `select c.deleted_at is not null as gone, c.app_password_sealed as password, c.secret_key_sealed as key, d.state
       from email_configs c join deliveries d on d.config_id = c.id where c.id = $1`,
      [user.mailboxId],
    )
    expect(row).toEqual({ gone: true, password: null, key: null, state: 'cancelled' })
    const [mail] = await server.mailsTo(user.email, 2)
    expect(mail?.subject).toBe('Your account is closed')
  })

  it('requires the password, and changes nothing without it', async () => {
    const user = await signUpUser(server)
    expect((await close(user, 'not mine')).status).toBe(400)
    expect(await statusOf(user.token)).toBe(200)
  })

  it('frees the address for another account', async () => {
    const user = await signUpUser(server)
    await close(user)
    const person = { first_name: 'Ann', last_name: 'Lee', email: user.email, password: 'second account' }
    await server.call('POST', '/auth/', { body: person })
    const [mail] = await server.mailsTo(user.email, 3)
    expect(mail?.subject).toBe('Confirm your email address')
    expect((await signIn(user.email, user.password)).status).toBe(401)
    expect((await signIn(user.email, 'second account')).status).toBe(200)
  })
})

describe('the workspace', () => {
  it('is renamed, and keeps its postal address', async () => {
    const { token } = await signUpUser(server)
    await server.call('PATCH', '/workspace', { token, body: { postal_address: '1 Dock St\nBremen' } })
    const { body } = await server.call('PATCH', '/workspace', { token, body: { name: ' Northwind ' } })
    expect(body).toMatchObject({ name: 'Northwind', postal_address: '1 Dock St\nBremen' })
    const answer = await server.call('PATCH', '/workspace', { token, body: { name: ' ' } })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc).toEqual(['body', 'name'])
  })
})
