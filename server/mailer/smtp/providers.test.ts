import { describe, expect, it } from 'vitest'
import { endpointOf, limitsOf, type MailboxAddressing } from './providers.ts'

const mailbox = (given: Partial<MailboxAddressing>): MailboxAddressing => ({
  provider: 'other',
  emailAddress: 'ann@example.com',
  server: null,
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
    // A host given by the user counts for provider other only.
    const server = { host: 'evil.example.com', port: 25, security: 'none' } as const
    const given = mailbox({ provider, emailAddress, server })
    expect(endpointOf(given, nothing)).toEqual({ host, port, security, isTrusted: false })
  })

  it("provider other uses its owner's host, in any spelling", () => {
    for (const host of ['mail.example.com', ' Mail.Example.com. ']) {
      const server = { host, port: 587, security: 'starttls' } as const
      expect(endpointOf(mailbox({ server }), nothing)).toEqual({
        ...server,
        host: 'mail.example.com',
        isTrusted: false,
      })
    }
    const literal = mailbox({ server: { host: '[2A00::1]', port: 465, security: 'tls' } })
    expect(endpointOf(literal, nothing)?.host).toBe('2a00::1')
  })

  it('provider other without a host has no endpoint', () => {
    expect(endpointOf(mailbox({}), nothing)).toBeNull()
  })

  it("trusts the operator's host and port in combination", () => {
    const permissions = { allow: [{ host: 'relay.internal', port: 25 }], sandboxPort: null }
    const isTrusted = (host: string, port: number) =>
      endpointOf(mailbox({ server: { host, port, security: 'none' } }), permissions)?.isTrusted
    expect(isTrusted('relay.internal', 25)).toBe(true)
    expect(isTrusted('RELAY.internal', 25)).toBe(true)
    expect(isTrusted('relay.internal', 26)).toBe(false)
    expect(isTrusted('other.internal', 25)).toBe(false)
  })
})

describe('limitsOf', () => {
  it("stays below the providers' limits", () => {
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

  it.each([
    ['gmail', 'a@gmail.com', 3, 80, null, 450],
    ['gmail', 'a@firm.com', 3, 80, null, 1800],
    ['outlook', 'a@live.com', 1, 100, 30, 270],
    ['outlook', 'a@firm.com', 3, 100, 30, 9000],
    ['yahoo', 'a@yahoo.com', 2, 50, null, 400],
    ['other', 'a@firm.com', 3, 500, null, null],
  ] as const)(
    'of %s for %s: %s connections with %s messages, %s a minute, %s a day',
    (provider, emailAddress, connectionCount, messagesPerConnectionCount, perMinuteCount, perDayCount) => {
      expect(limitsOf({ provider, emailAddress })).toMatchObject({
        connectionCount,
        messagesPerConnectionCount,
        perMinuteCount,
        perDayCount,
      })
    },
  )
})
