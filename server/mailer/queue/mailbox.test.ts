import { describe, expect, it } from 'vitest'
import type { MailboxSecrets } from '../../domain/mailboxes/mailbox.ts'
import { parseSystemSmtp, resolveMailbox } from './mailbox.ts'

const secrets = (given: Partial<MailboxSecrets>): MailboxSecrets => ({
  mailboxId: 'c1',
  workspaceId: 'w1',
  emailAddress: 'ann@example.com',
  provider: 'other',
  server: null,
  appPassword: 'hunter22',
  ...given,
})
const permissions = { allow: [], sandboxPort: 2525 }

describe('readSystemSmtp', () => {
  it.each([
    ['smtps://smtp.example.com', 'smtp.example.com', 465, 'tls', null],
    [
      'smtps://u%40x.com:p%20w@smtp.example.com:2465',
      'smtp.example.com',
      2465,
      'tls',
      { user: 'u@x.com', pass: 'p w' },
    ],
    ['smtp://u:p@smtp.example.com', 'smtp.example.com', 587, 'starttls', { user: 'u', pass: 'p' }],
    ['smtp://u:p@smtp.example.com:25', 'smtp.example.com', 25, 'starttls', { user: 'u', pass: 'p' }],
    ['smtp://relay.internal:25', 'relay.internal', 25, 'none', null],
    ['smtp://[::1]:25', '::1', 25, 'none', null],
    ['smtp://relay.internal:587', 'relay.internal', 587, 'starttls', null],
    ['smtp://relay.internal:588', 'relay.internal', 588, 'none', null],
  ])('%s', (url, host, port, security, login) => {
    expect(parseSystemSmtp(new URL(url))).toEqual({ server: { host, port, security }, login })
  })
})

describe('readyMailbox', () => {
  it('leaves sandbox mail to the process with the sandbox', () => {
    const elsewhere = { allow: [], sandboxPort: null, isSandboxElsewhere: true }
    const sandbox = secrets({ emailAddress: 'Sandbox@localhost' })
    const system = secrets({ provider: 'system' })
    const smtp = parseSystemSmtp(new URL('smtp://relay.internal:25'))
    const isElsewhere = (...given: Parameters<typeof resolveMailbox>) => resolveMailbox(...given).isElsewhere
    expect([isElsewhere(sandbox, elsewhere, null), isElsewhere(system, elsewhere, null)]).toEqual([true, true])
    expect([isElsewhere(secrets({}), elsewhere, null), isElsewhere(system, elsewhere, smtp)]).toEqual([false, false])
    expect(isElsewhere(sandbox, permissions, null)).toBe(false)
  })

  it('signs in with the mailbox’s address and its app password', () => {
    expect(resolveMailbox(secrets({ provider: 'gmail' }), permissions, null)).toMatchObject({
      endpoint: { host: 'smtp.gmail.com', isTrusted: false },
      login: { user: 'ann@example.com', pass: 'hunter22' },
      limits: { connectionCount: 3 },
    })
  })

  it('sends account mails through the operator’s server, else through the sandbox, else not at all', () => {
    const system = secrets({ provider: 'system', appPassword: null })
    const url = new URL('smtp://relay.internal:25')
    expect(resolveMailbox(system, permissions, parseSystemSmtp(url))).toMatchObject({
      endpoint: { host: 'relay.internal', port: 25, isTrusted: true },
      login: null,
    })
    expect(resolveMailbox(system, permissions, null).endpoint).toMatchObject({ host: '127.0.0.1', port: 2525 })
    expect(resolveMailbox(system, { allow: [], sandboxPort: null }, null).endpoint).toBeNull()
  })
})
