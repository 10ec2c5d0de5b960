import { describe, expect, it } from 'vitest'
import { runCommand } from '../support/command.ts'
import { createUser, type TestUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const server = await useServer()

async function reopen(...words: string[]) {
  await using folder = await temporaryFolder()
  return await runCommand('account-reopen', words, { DATABASE_URL: server.database.url, DATA_DIR: folder.path })
}
async function closedUser(): Promise<TestUser> {
  const user = await createUser(server)
  const template = { subject: 'Kept', body: '<p>Kept</p>', context: [] }
  await server.call('POST', '/email/template', { token: user.token, body: template })
  const closed = await server.call('POST', '/auth/close-account', {
    token: user.token,
    body: { password: user.password },
  })
  expect(closed.status).toBe(204)
  return user
}
const signIn = ({ email, password }: TestUser) => server.call('POST', '/auth/login', { body: { email, password } })

describe('a closed account', () => {
  it('is restored with its password and its templates; its secret key stays revoked', async () => {
    const user = await closedUser()
    expect((await signIn(user)).status).toBe(401)
    expect(await reopen(` ${user.email.toUpperCase()}`)).toMatchObject({
      code: 0,
      err: expect.stringContaining('open again') as string,
    })
    const { status, body } = await signIn(user)
    expect([status, body.confirmed_email]).toEqual([200, true])
    const templates = await server.call('GET', '/email/templates', { token: body.access_token as string })
    expect(templates.body).toMatchObject([{ subject: 'Kept' }])
    const send = { recipient_list: ['a@example.com'], subject: 'Hi', content: 'Hi' }
    expect((await server.call('POST', `/api/send-mail/${user.secretKey}`, { body: send })).status).toBe(404)
  })

  it('is not restored after its retention period, nor when it never existed', async () => {
    const user = await closedUser()
    await server.sql("update users set closed_at = now() - interval '31 days' where closed_email = $1", [user.email])
    for (const address of [user.email, 'nobody@example.com']) {
      expect(await reopen(address)).toMatchObject({
        code: 1,
        err: expect.stringContaining('No account with this address was closed within the last 30 days') as string,
      })
    }
  })

  it('is not restored while another account has the address', async () => {
    const user = await closedUser()
    await server.sql('update users set email = $1 where email = $2', [user.email, (await createUser(server)).email])
    expect(await reopen(user.email)).toMatchObject({
      code: 1,
      err: expect.stringContaining('An open account has this address') as string,
    })
  })

  it('requires one address', async () => {
    expect(await reopen()).toMatchObject({ code: 1, err: expect.stringContaining('Give one address') as string })
  })
})
