import { describe, expect, it } from 'vitest'
import type { Provider } from '../../../contract/mail/config.limits.ts'
import { diagnose, type MailboxFailure } from './mailbox-diagnosis.ts'
import type { SmtpFailure } from './smtp-outcome.ts'

function failure(
  provider: Provider,
  smtpFailure: Partial<SmtpFailure>,
  more: Partial<MailboxFailure> = {},
): MailboxFailure {
  return {
    provider,
    emailAddress: 'ann@example.com',
    secrets: ['hunter22'],
    smtpFailure: {
      phase: 'login',
      reply: null,
      libraryCode: null,
      systemCode: null,
      isHandedOver: false,
      ...smtpFailure,
    },
    ...more,
  }
}

const systemCodes = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ECONNRESET',
  'NO_LOGIN',
  'FORBIDDEN_ADDRESS',
  'FORBIDDEN_PORT',
  'FORBIDDEN_CLEAR',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]

describe('diagnose', () => {
  it.each([
    ['login', '499 Later', 'unreachable', /try again/i],
    ['login', '500 No', 'refused', /Check both/],
    ['connect', '499 Later', 'unreachable', /try again/i],
    ['connect', '500 No', 'unreachable', /connection/],
  ] as const)('a reply at the phase %s of %j makes a mailbox %s', (phase, reply, kind, words) => {
    const diagnosis = diagnose(failure('other', { phase, reply }))
    expect(diagnosis.kind).toBe(kind)
    expect(diagnosis.sentence).toMatch(words)
  })

  it.each<[provider: Provider, address: string, reply: string, words: RegExp]>([
    ['gmail', 'a@gmail.com', '535-5.7.8 Username and Password not accepted.', /2-Step Verification.*app password/],
    ['gmail', 'a@gmail.com', '534-5.7.9 Application-specific password required.', /create an app password/],
    ['gmail', 'a@gmail.com', '534-5.7.14 Please log in via your web browser', /in a browser/],
    ['outlook', 'a@hotmail.com', '535 5.7.139 Authentication unsuccessful', /16 September 2024/],
    ['outlook', 'a@outlook.de', '535 5.7.3 Authentication unsuccessful', /16 September 2024.*OAuth/],
    ['outlook', 'a@firm.com', '535 5.7.139 SmtpClientAuthentication is disabled', /administrator.*Authenticated SMTP/],
    ['outlook', 'a@firm.com', '550 5.7.30 Basic authentication is not supported', /OAuth/],
    ['outlook', 'a@firm.com', '535 5.7.3 Authentication unsuccessful', /Microsoft refused this address/],
    ['yahoo', 'a@yahoo.com', '535 5.7.0 (#AUTH005) Too many bad auth attempts.', /Generate app password/],
    ['other', 'a@x.com', '535 Incorrect authentication data', /Check both/],
  ])('%s %s: %j explains the remedy', (provider, emailAddress, reply, words) => {
    const diagnosis = diagnose(failure(provider, { reply }, { emailAddress }))
    expect(diagnosis.kind).toBe('refused')
    expect(diagnosis.sentence).toMatch(words)
    expect(diagnosis.sentence).toMatch(/The mail server said: “5\d\d/)
  })

  it.each<[smtpFailure: Partial<SmtpFailure>, words: RegExp]>([
    [{ reply: '454 4.7.0 Too many login attempts', phase: 'login' }, /Wait an hour/],
    [{ reply: '421 4.7.0 Try again later', phase: 'login' }, /Wait an hour/],
    [{ reply: '451 Busy', phase: 'login' }, /Try again in a few minutes/],
    [{ reply: '554 No service here', phase: 'connect' }, /refused the connection/],
    [{ reply: '454 TLS not available', phase: 'connect', libraryCode: 'ETLS' }, /does not offer encryption/],
    [{ systemCode: 'ENOTFOUND', phase: 'connect' }, /No public mail server has this name/],
    [{ systemCode: 'EAI_AGAIN', phase: 'connect' }, /could not be resolved/],
    [{ systemCode: 'ECONNREFUSED', phase: 'connect' }, /does not accept connections/],
    [{ systemCode: 'ETIMEDOUT', phase: 'connect' }, /did not answer in time/],
    [{ libraryCode: 'ETIMEDOUT', phase: 'connect' }, /did not answer in time/],
    [{ systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID', libraryCode: 'ESOCKET', phase: 'connect' }, /another name/],
    [{ systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT', libraryCode: 'ESOCKET', phase: 'connect' }, /not signed by/],
    [{ systemCode: 'CERT_HAS_EXPIRED', libraryCode: 'ESOCKET', phase: 'connect' }, /has expired/],
    [{ systemCode: 'ERR_SSL_WRONG_VERSION_NUMBER', libraryCode: 'ESOCKET', phase: 'connect' }, /TLS with port 465/],
    [{ systemCode: 'FORBIDDEN_ADDRESS', phase: 'connect' }, /No public mail server has this name/],
    [{ systemCode: 'FORBIDDEN_PORT', phase: 'connect' }, /port 465 \(TLS\) or 587/],
    [{ systemCode: 'FORBIDDEN_CLEAR', phase: 'connect' }, /never sent without encryption/],
    [{ systemCode: 'ECONNRESET', phase: 'connect' }, /was lost/],
    [{ systemCode: 'toString', phase: 'connect' }, /was lost/],
    [{ phase: 'connect' }, /was lost/],
  ])('%j is unreachable, and explains the remedy', (smtpFailure, words) => {
    const diagnosis = diagnose(failure('other', smtpFailure))
    expect(diagnosis.kind).toBe('unreachable')
    expect(diagnosis.sentence).toMatch(words)
  })

  it.each(['gmail', 'outlook', 'yahoo'] as const)(
    'TRIAL-73 for %s never names a field that the form shows for other providers only',
    (provider) => {
      const silent = [...systemCodes, 'UNKNOWN'].map((systemCode) =>
        diagnose(failure(provider, { systemCode, phase: 'connect' })),
      )
      const noTls = diagnose(
        failure(provider, { reply: '454 TLS not available', phase: 'connect', libraryCode: 'ETLS' }),
      )
      for (const { sentence } of [...silent, noTls]) {
        expect(sentence).not.toMatch(/smtp_|“Mail server”|“Port”|“Security”|Set |spelling/)
        expect(sentence).toMatch(/Try again in a few minutes/)
      }
    },
  )

  it('H24 the server’s reply is omitted when it repeats the password, plain or encoded', () => {
    for (const echo of ['hunter22', Buffer.from('hunter22').toString('base64')]) {
      const { sentence } = diagnose(failure('other', { reply: `535 Wrong password ${echo}` }))
      expect(sentence).not.toContain(echo)
      expect(sentence).not.toContain('The mail server said')
    }
  })

  it('the server’s reply is truncated to 200 characters', () => {
    const { sentence } = diagnose(failure('other', { reply: `535 ${'x'.repeat(1000)}` }))
    expect(/“(535 x+…)”/.exec(sentence)?.[1]).toHaveLength(200)
  })
})
