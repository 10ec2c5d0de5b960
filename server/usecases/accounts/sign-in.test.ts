import { describe, expect, it } from 'vitest'
import type { Account } from '../../domain/accounts/account.ts'
import { createSignIn, type SignInInput } from './sign-in.ts'

const owner: Account = {
  id: 'u1',
  email: 'ada@example.com',
  firstName: 'Ada',
  passwordHash: 'hash of correct horse',
  isConfirmed: true,
}

/** A sign-in that records its calls to the ports, in order. */
function prepare(refused: string[] = []) {
  const requested: string[] = []
  const signIn = createSignIn({
    accounts: { findByEmail: (email) => Promise.resolve(email === owner.email ? owner : null) },
    identities: { link: () => Promise.resolve() },
    attempts: {
      take(kind) {
        requested.push(`take ${kind}`)
        return Promise.resolve(
          refused.includes(kind) ? { ok: false, retryAfterMs: 5000 } : { ok: true, id: requested.length },
        )
      },
      giveBack: (id) => Promise.resolve(void requested.push(`give back ${id}`)),
      clear: (kind) => Promise.resolve(void requested.push(`clear ${kind}`)),
    },
    passwords: {
      verify(hash, password) {
        requested.push(hash === null ? 'hash for nobody' : 'hash')
        return Promise.resolve(hash === `hash of ${password}`)
      },
    },
    openSession: () => Promise.resolve('at_1'),
    proofOfWork: { issue: () => Promise.resolve({ parameters: {} }), check: () => Promise.resolve(null) },
    noteSecurityEvent: () => undefined,
  })
  const run = (changes: Partial<SignInInput> = {}) =>
    signIn({
      email: owner.email,
      password: 'wrong horse',
      userAgent: null,
      address: '203.0.113.1',
      device: null,
      pendingLink: null,
      proofOfWork: null,
      ...changes,
    })
  return { requested, run }
}

describe('signing in', () => {
  it('H01 makes the same calls, with exactly one hash, for a wrong password and an unknown email', async () => {
    const [wrong, unknown] = [prepare(), prepare()]
    await expect(wrong.run()).rejects.toThrow('Invalid credentials')
    await expect(unknown.run({ email: 'nobody@example.com' })).rejects.toThrow('Invalid credentials')
    expect(wrong.requested).toEqual(['take sign-in-address', 'take sign-in-network', 'hash'])
    expect(unknown.requested).toEqual(['take sign-in-address', 'take sign-in-network', 'hash for nobody'])
  })

  it('H02 hashes nothing over 1,024 bytes', async () => {
    const { requested, run } = prepare()
    await expect(run({ password: 'é'.repeat(513) })).rejects.toMatchObject({ code: 'validation' })
    expect(requested).toEqual([])
  })

  it('H03 checks no password once a limit is reached, and undoes its own count', async () => {
    const { requested, run } = prepare(['sign-in-network'])
    await expect(run({ password: 'correct horse' })).rejects.toMatchObject({
      code: 'proof_of_work_required',
      retryAfterMs: 5000,
    })
    expect(requested).toEqual(['take sign-in-address', 'take sign-in-network', 'give back 1'])
  })

  it('does not count a success', async () => {
    const { requested, run } = prepare()
    expect(await run({ password: 'correct horse' })).toEqual({ token: 'at_1', userId: 'u1', isConfirmed: true })
    expect(requested.slice(-3)).toEqual(['give back 1', 'give back 2', 'clear sign-in-address'])
  })
})
