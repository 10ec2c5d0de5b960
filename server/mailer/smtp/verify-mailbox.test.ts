import { afterEach, describe, expect, it } from 'vitest'
import { createAuthority } from '../../../tests/support/certificate.ts'
import { startSmtpSink, type SinkOptions, type SmtpSink } from '../../../tests/support/smtp-sink.ts'
import { verifyMailbox, type MailboxToVerify } from './verify-mailbox.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

async function sinkWith(options: SinkOptions = {}): Promise<SmtpSink> {
  const sink = await startSmtpSink(options)
  undo.push(() => sink.close())
  return sink
}

const mailbox = (port: number, given: Partial<MailboxToVerify> = {}): MailboxToVerify => ({
  provider: 'other',
  emailAddress: 'ann@example.com',
  appPassword: 'hunter22',
  server: { host: '127.0.0.1', port, security: 'none' },
  ...given,
})

const allow = (...ports: number[]) => ({
  allow: ports.map((port) => ({ host: '127.0.0.1', port })),
  sandboxPort: null,
})

describe('verifyMailbox', () => {
  it('signs in, sends QUIT and leaves no connection behind', async () => {
    const sink = await sinkWith()
    expect(await verifyMailbox(mailbox(sink.port), allow(sink.port))).toEqual({ ok: true })
    expect(sink.logins).toEqual([{ user: 'ann@example.com', password: 'hunter22', isSecure: false }])
    await expect.poll(() => sink.openConnectionCount).toBe(0)
  })

  it('explains the remedy when the server refuses the sign-in, without the password', async () => {
    const sink = await sinkWith({ onLogin: (user, password) => `535 5.7.8 ${user} is not ${password}` })
    const diagnosis = await verifyMailbox(mailbox(sink.port), allow(sink.port))
    expect(diagnosis).toMatchObject({ ok: false, kind: 'refused' })
    expect(JSON.stringify(diagnosis)).toMatch(/Check both/)
    expect(JSON.stringify(diagnosis)).not.toContain('hunter22')
  })

  it('H22 rejects this machine’s own ports unless the operator allows them', async () => {
    const sink = await sinkWith()
    const other = allow(sink.port + 1)
    expect(await verifyMailbox(mailbox(sink.port), other)).toMatchObject({ kind: 'unreachable' })
    const tls = mailbox(0, { server: { host: '127.0.0.1', port: 465, security: 'tls' } })
    expect(await verifyMailbox(tls, other)).toMatchObject({
      sentence: expect.stringMatching(/No public mail server has this name/) as string,
    })
    expect([sink.connectionCount, sink.logins.length]).toEqual([0, 0])
  })

  it('H23 sends no password to an allowed server with an untrusted certificate', async () => {
    const certificate = createAuthority().issue('127.0.0.1')
    const sink = await sinkWith({ security: 'starttls', certificate })
    const server = { host: '127.0.0.1', port: sink.port, security: 'starttls' } as const
    const diagnosis = await verifyMailbox(mailbox(0, { server }), allow(sink.port))
    expect(JSON.stringify(diagnosis)).toMatch(/not signed by a trusted authority/)
    expect(sink.logins).toEqual([])
  })

  it('times out', async () => {
    const sink = await sinkWith({ onLogin: () => new Promise(() => {}) })
    const diagnosis = await verifyMailbox(mailbox(sink.port), allow(sink.port), { connectTimeoutMs: 300 })
    expect(diagnosis).toMatchObject({ kind: 'unreachable', sentence: expect.stringMatching(/in time/) as string })
    await expect.poll(() => sink.openConnectionCount).toBe(0)
  })

  it('requires the host of a mailbox of provider other', async () => {
    const diagnosis = await verifyMailbox(mailbox(0, { server: null }), allow())
    expect(JSON.stringify(diagnosis)).toMatch(/Fill in “Mail server”/)
  })

  it('connects the sandbox’s address to the sandbox, with any password', async () => {
    const sink = await sinkWith()
    const sandbox = mailbox(0, { emailAddress: 'sandbox@localhost', server: null })
    expect(await verifyMailbox(sandbox, { allow: [], sandboxPort: sink.port })).toEqual({ ok: true })
    expect(await verifyMailbox(sandbox, { allow: [], sandboxPort: null })).toMatchObject({ ok: false })
  })
})
