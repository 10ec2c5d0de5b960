import { describe, expect, it } from 'vitest'
import { endpointOf, limitsOf, type MailboxAddressing } from './providers.ts'

const mailbox = (given: Partial<MailboxAddressing>): MailboxAddressing => ({
  provider: 'other',
  emailAddress: 'ann@example.com',
  smtpHost: null,
  smtpPort: null,
  smtpSecurity: null,
  ...given,
})
const nothing = { allow: [], sandboxPort: null }

describe('endpointOf', () => {
  it.each([
    ['gmail', 'ann@gmail.com', 'smtp.gmail.com', 465, 'tls'],
    ['gmail', 'ann@firm.com', 'smtp.gmail.com', 465, 'tls'],
    ['outlook', 'ann@outlook.com', 'smtp-mail.outlook.com', 587, 'starttls'],
    ['outlook', 'ann@hotmail.co.uk', 'smtp-mail.outlook.com', 587, 'starttls'],
    ['outlook', 'ann@firm.com', 'smtp.office365.com', 587, 'starttls'],
    ['yahoo', 'ann@yahoo.com', 'smtp.mail.yahoo.com', 465, 'tls'],
  ] as const)('%s %s is served by %s', (provider, emailAddress, host, port, security) => {
    // What somebody sends along as a host counts for provider other only.
    const given = mailbox({ provider, emailAddress, smtpHost: 'evil.example.com', smtpPort: 25, smtpSecurity: 'none' })
    expect(endpointOf(given, nothing)).toEqual({ host, port, security, isTrusted: false })
  })

  it.each([
    [{}, 465, 'tls'],
    [{ smtpPort: 465 }, 465, 'tls'],
    [{ smtpPort: 587 }, 587, 'starttls'],
    [{ smtpSecurity: 'starttls' }, 587, 'starttls'],
    [{ smtpPort: 587, smtpSecurity: 'tls' }, 587, 'tls'],
    [{ smtpPort: 2525 }, 2525, 'none'],
  ] as const)('provider other with %j uses port %i and %s', (given, port, security) => {
    expect(endpointOf(mailbox({ smtpHost: 'Mail.Example.com.', ...given }), nothing)).toEqual({
      host: 'mail.example.com',
      port,
      security,
      isTrusted: false,
    })
  })

  it('provider other without a host leads nowhere', () => {
    expect(endpointOf(mailbox({}), nothing)).toBeNull()
  })

  it('trusts what the operator names, host and port together', () => {
    const permissions = { allow: [{ host: 'relay.internal', port: 25 }], sandboxPort: null }
    const isTrusted = (smtpHost: string, smtpPort: number) =>
      endpointOf(mailbox({ smtpHost, smtpPort }), permissions)?.isTrusted
    expect(isTrusted('relay.internal', 25)).toBe(true)
    expect(isTrusted('RELAY.internal', 25)).toBe(true)
    expect(isTrusted('relay.internal', 26)).toBe(false)
    expect(isTrusted('other.internal', 25)).toBe(false)
  })
})

describe('limitsOf', () => {
  it('stays below what the providers allow', () => {
    const perDay = (provider: MailboxAddressing['provider'], emailAddress: string) =>
      limitsOf({ provider, emailAddress }).perDayCount
    expect(perDay('gmail', 'a@gmail.com')).toBe(450)
    expect(perDay('gmail', 'a@firm.com')).toBeLessThan(2000)
    expect(perDay('outlook', 'a@live.com')).toBeLessThan(300)
    expect(perDay('yahoo', 'a@yahoo.com')).toBe(400)
    expect(perDay('other', 'a@firm.com')).toBeNull()
    expect(limitsOf({ provider: 'outlook', emailAddress: 'a@firm.com' })).toMatchObject({
      connectionCount: 3,
      perMinuteCount: 30,
    })
  })
})
