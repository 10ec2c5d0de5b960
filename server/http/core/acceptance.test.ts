import { describe, expect, it } from 'vitest'
import { signUpUser } from '../../../tests/support/accounts.ts'
import { useServer } from '../../../tests/support/server.ts'

const server = await useServer()

describe('acceptances of a user', () => {
  it('a sign-up stores the current versions of terms and privacy policy, with the time', async () => {
    const { email } = await signUpUser(server)
    const rows = await server.sql(
      'select document, document_date::text, accepted_at <= now() as past from acceptances join users on id = user_id where email = $1 order by document',
      [email],
    )
    expect(rows).toEqual([
      { document: 'privacy', document_date: '2025-08-14', past: true },
      { document: 'terms', document_date: '2025-08-14', past: true },
    ])
  })

  it('POST /auth/acceptances stores a version once, for the caller alone', async () => {
    const [person] = [await signUpUser(server), await signUpUser(server)]
    await server.sql('delete from acceptances')
    const body = { document: 'terms', date: '2025-08-14' }
    for (const status of [204, 204]) {
      expect((await server.call('POST', '/auth/acceptances', { token: person.token, body })).status).toBe(status)
    }
    const rows = await server.sql('select email, document from acceptances join users on id = user_id')
    expect(rows).toEqual([{ email: person.email, document: 'terms' }])
  })

  it.each([
    ['no token', null, { document: 'terms', date: '2025-08-14' }, 401],
    ['another document', 'own', { document: 'cookies', date: '2025-08-14' }, 422],
    ['no day', 'own', { document: 'terms', date: 'yesterday' }, 422],
    ['a version that never was', 'own', { document: 'terms', date: '2025-02-31' }, 422],
  ])('with %s it is rejected', async (_what, whose, body, status) => {
    const token = whose === null ? undefined : (await signUpUser(server)).token
    const answer = await server.call('POST', '/auth/acceptances', { body, ...(token !== undefined && { token }) })
    expect(answer.status).toBe(status)
  })
})
