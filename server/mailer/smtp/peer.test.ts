import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { never, startSession } from '../../../tests/support/smtp-client.ts'
import { PipelinedSession } from './pipelined-session.ts'
import { openSession } from './smtp-session.ts'

/**
 * A third-party mail server, such as Postfix: `host:port` in SMTP_PEER. It accepts mail without a sign-in from this machine
 * for `postmaster@localhost`, or for SMTP_PEER_TO.
 */
const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(process.env['SMTP_PEER'] ?? '') ?? []
const to = process.env['SMTP_PEER_TO'] ?? 'postmaster@localhost'
const from = to

if (host === '') {
  process.stderr.write('SMTP_PEER names no mail server (host:port): the tests against Postfix are skipped.\n')
}

const open = () =>
  openSession({ host, port: Number(port), security: 'none', isTrusted: true }, null, never, { replyTimeoutMs: 30_000 })
const mailOf = (body: string) =>
  Buffer.from(
    `From: <${from}>\r\nTo: <${to}>\r\nMessage-ID: <${randomUUID()}@example.com>\r\nSubject: Hi\r\n\r\n${body}\r\n`,
  )

describe.skipIf(host === '')('a third-party mail server', () => {
  it('accepts a hundred pipelined mails over one connection', async () => {
    const session = await open()
    expect(session).toBeInstanceOf(PipelinedSession)
    const sender = startSession(session)
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, at) => sender.send({ from, to }, mailOf(`Mail ${at}`), () => undefined)),
    )
    expect(replies.filter((reply) => !reply.startsWith('250'))).toEqual([])
    await sender.quit()
    expect(sender.isOpen).toBe(false)
  })

  it('refuses one recipient, and accepts the mails before and after it', async () => {
    const sender = startSession(await open())
    const outcomes = await Promise.allSettled(
      [to, 'nobody@[256.256.256.256]', to].map((recipient) =>
        sender.send({ from, to: recipient }, mailOf('Hello'), () => undefined),
      ),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(sender.isOpen).toBe(true)
    await sender.quit()
  })

  it('H33 treats dots and lines that look like commands as content', async () => {
    const sender = startSession(await open())
    const hostile = '.\r\n..\r\n.\r\nMAIL FROM:<eve@example.com>\r\nRCPT TO:<eve@example.com>\r\nDATA'
    expect(await sender.send({ from, to }, mailOf(hostile), () => undefined)).toMatch(/^250/)
    expect(await sender.send({ from, to }, mailOf('Next'), () => undefined)).toMatch(/^250/)
    await sender.quit()
  })
})
