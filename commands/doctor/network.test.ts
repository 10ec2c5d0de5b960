import { describe, expect, it } from 'vitest'
import { createSmtpError } from '../../server/mailer/smtp/smtp-error.ts'
import { assessClock } from './database.ts'
import { assessDiskSpace } from './files.ts'
import { formatFinding } from './finding.ts'
import { checkDomain, checkNames, checkPorts, type Network } from './network.ts'

const fail = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
const working: Network = {
  lookup: () => Promise.resolve([]),
  resolveTxt: (name) => Promise.resolve([[name.startsWith('_dmarc.') ? 'v=DMARC1; p=none' : 'v=spf1 -all']]),
  connect: () => Promise.resolve(),
}
const states = (findings: readonly { state: string }[]) => findings.map(({ state }) => state)

describe('the doctor', () => {
  it('reports no problem for a working network', async () => {
    const findings = [
      ...(await checkNames(['mail.example.com'], working)),
      ...(await checkPorts(working)),
      ...(await checkDomain('example.com', working)),
    ]
    expect(new Set(states(findings))).toEqual(new Set(['ok']))
  })

  it('distinguishes a failed resolver from an unknown name', async () => {
    const [down] = await checkNames([], { ...working, lookup: () => fail('EAI_AGAIN') })
    expect(down).toMatchObject({ state: 'fail', message: expect.stringContaining('resolver') as string })
    const lookup = (host: string) => (host === 'mial.example.com' ? fail('ENOTFOUND') : Promise.resolve([]))
    const findings = await checkNames(['mial.example.com'], { ...working, lookup })
    expect(findings.map(formatFinding)).toEqual([
      'fail  dns        mial.example.com cannot be looked up (ENOTFOUND): check its spelling.',
    ])
  })

  it('reports blocked mail ports', async () => {
    const connect = () => Promise.reject(createSmtpError('connect', 'ETIMEDOUT'))
    const findings = await checkPorts({ ...working, connect })
    expect(new Set(states(findings))).toEqual(new Set(['warn']))
    expect(findings[0]!.message).toMatch(/smtp\.gmail\.com:465 cannot be reached \(ETIMEDOUT\).*blocks outgoing/)
  })

  it('reports missing SPF and DMARC records of a domain', async () => {
    const findings = await checkDomain('example.com', { ...working, resolveTxt: () => fail('ENODATA') })
    expect(findings.map(({ state, subject }) => `${state} ${subject}`)).toEqual(['warn spf', 'warn dmarc'])
  })

  it.each([
    [0, 'ok'],
    [-1500, 'ok'],
    [5000, 'warn'],
    [-90_000, 'fail'],
  ])('reports a clock that is %i ms off as %s', (aheadMs, state) => {
    expect(assessClock(aheadMs).state).toBe(state)
  })

  it('names the clock that is ahead', () => {
    expect(assessClock(90_000).message).toContain('clock is 90 s behind the database’s')
    expect(assessClock(-90_000).message).toContain('clock is 90 s ahead of the database’s')
  })

  it.each([
    [50e9, 'ok'],
    [0.5e9, 'warn'],
    [0.1e9, 'fail'],
  ])('reports %i free bytes as %s', (bytes, state) => {
    expect(assessDiskSpace(bytes).state).toBe(state)
  })
})
