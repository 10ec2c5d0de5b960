import { expect, it } from 'vitest'
import { makeHostedKey } from '../../../tests/support/hosted.ts'
import { createUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer()

/** The security events of the log from a position on, without the common fields. */
function eventsSince(start: number): Record<string, unknown>[] {
  const lines = server.logged().slice(start).trim().split('\n')
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => 'security_event' in line)
    .map(({ level: _level, time: _time, msg: _msg, ...line }) => line)
}

it('TRIAL-53 a failed sign-in, lock-out, key rotation, revoked session and changed password each write one JSON log line with security_event, without an address, token or password', async () => {
  const user = await createUser(server)
  const { body: own } = await server.call('GET', '/auth/user', { token: user.token })
  const { id: userId, workspace } = own as { id: string; workspace: { id: string } }
  const signIn = (password: string) =>
    server.call('POST', '/auth/login', { body: { email: user.email, password }, headers: { 'user-agent': 'canary' } })
  const other = (await signIn(user.password)).body.access_token as string
  const { body: sessions } = await server.call('GET', '/auth/sessions', { token: user.token })
  const otherId = (sessions as { id: string; is_current: boolean }[]).find((one) => !one.is_current)!.id
  const start = server.logged().length
  /** The log lines of one call. */
  const eventsOf = async (call: () => Promise<{ status: number }>, status: number) => {
    const from = server.logged().length
    expect((await call()).status).toBe(status)
    return eventsSince(from)
  }

  expect(await eventsOf(() => signIn('wrong horse'), 401)).toEqual([{ security_event: 'sign_in_failed', userId }])
  for (let times = 0; times < 4; times++) await signIn('wrong horse')
  expect(await eventsOf(() => signIn('wrong horse'), 429)).toEqual([
    { security_event: 'sign_in_locked', userId, limit: 'account' },
  ])
  const unknown = { email: 'canary-stranger@example.com', password: 'wrong horse' }
  expect(await eventsOf(() => server.call('POST', '/auth/login', { body: unknown }), 401)).toEqual([
    { security_event: 'sign_in_failed', userId: null },
  ])

  const rotate = `/email/configs/${user.mailboxId}/secret-key`
  expect(await eventsOf(() => server.call('POST', rotate, { token: user.token }), 200)).toEqual([
    { security_event: 'secret_key_rotated', workspaceId: workspace.id, mailboxId: user.mailboxId },
  ])

  const revoke = `/auth/sessions/${otherId}`
  expect(await eventsOf(() => server.call('DELETE', revoke, { token: user.token }), 204)).toEqual([
    { security_event: 'session_revoked', userId, sessionId: otherId },
  ])

  const change = { current_password: user.password, new_password: 'canary horse' }
  const changing = () => server.call('POST', '/auth/change-password', { token: user.token, body: change })
  expect(await eventsOf(changing, 204)).toEqual([{ security_event: 'password_changed', userId }])

  await server.call('GET', `/auth/reset-password/${encodeURIComponent(user.email)}`)
  const mails = await server.mailsTo(user.email, 2)
  const token = mails.map(({ html }) => /rp_[\w-]{43}/.exec(html ?? '')?.[0]).find((found) => found !== undefined)!
  const reset = { token, new_password: 'second canary' }
  expect(await eventsOf(() => server.call('POST', '/auth/update-password', { body: reset }), 200)).toEqual([
    { security_event: 'password_changed', userId },
  ])

  const logged = server.logged().slice(start)
  const secrets = ['wrong horse', 'canary', user.password, user.token, other, token, user.secretKey, user.email]
  for (const secret of secrets) expect(logged).not.toContain(secret)
  const lines = eventsSince(start).map((line) => JSON.stringify(line))
  for (const line of lines) expect(line).not.toMatch(/127\.0\.0\.1|::1|@/)
})

it('hosted users have the same events, marked as theirs', async () => {
  const { key } = await makeHostedKey(server, 'read', [])
  const call = (method: string, path: string, body: object, token?: string) =>
    server.call(method, path, { token, body, headers: { 'x-api-key': key } })
  const person = { email: 'ann@example.com', password: 'correct horse' }
  const { body } = await call('POST', '/auth-collections/signup', person)
  const { access_token: token, user } = body as { access_token: string; user: { id: string } }
  const start = server.logged().length
  const wrong = { ...person, password: 'wrong horse' }
  for (let times = 0; times < 11; times++) await call('POST', '/auth-collections/login', wrong)
  await call('PATCH', '/auth-collections/user', { password: 'other horse' }, token)
  const about = { realm: 'hosted', userId: user.id }
  expect(eventsSince(start)).toEqual([
    ...Array.from({ length: 10 }, () => ({ security_event: 'sign_in_failed', ...about })),
    { security_event: 'sign_in_locked', realm: 'hosted' },
    { security_event: 'password_changed', ...about },
  ])
})
