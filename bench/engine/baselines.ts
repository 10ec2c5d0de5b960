import { createTransport } from 'nodemailer'
import { compileMessage } from '../../server/mailer/mime/mime.ts'
import type { SmtpJob } from '../../server/mailer/smtp/smtp-job.ts'
import { openSession } from '../../server/mailer/smtp/smtp-session.ts'
import { messageContent } from '../../tests/support/message-content.ts'
import { html } from './arena.ts'
import { sinkHost } from './sink.ts'

interface Target {
  sinkPort: number
  ca: string
}

/** Mails per second of a bare nodemailer pool: no database, no journal, one body for all. */
export async function nodemailerPool({ sinkPort, ca }: Target, mailCount: number, connectionCount: number) {
  const transport = createTransport({
    pool: true,
    maxConnections: connectionCount,
    maxMessages: Infinity,
    host: sinkHost,
    port: sinkPort,
    secure: true,
    tls: { ca },
  })
  const send = (at: number) =>
    transport.sendMail({ from: 'ann@example.com', to: `person${at}@example.com`, subject: 'Doors open', html })
  await Promise.all(Array.from({ length: connectionCount }, (_, at) => send(at)))
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: mailCount }, (_, at) => send(at)))
  const perSecond = mailCount / ((performance.now() - startedAt) / 1000)
  transport.close()
  return perSecond
}

/** Mails per second of one process that writes one prebuilt mail as fast as the sink accepts it. */
export async function oneBody({ sinkPort, ca }: Target, mailCount: number, connectionCount: number): Promise<number> {
  const endpoint = { host: sinkHost, port: sinkPort, security: 'tls', isTrusted: true } as const
  const mail = compileMessage(messageContent({ content: html })).build(
    { id: 1, recipient: 'person@example.com', context: null },
    new Date(),
  )
  const sessions = await Promise.all(
    Array.from({ length: connectionCount }, () => openSession(endpoint, null, new AbortController().signal, { ca })),
  )
  const startedAt = performance.now()
  let leftCount = mailCount
  const job: SmtpJob = {
    envelope: { from: 'ann@example.com', to: 'person@example.com' },
    mail,
    begin: () => undefined,
    end: () => undefined,
  }
  await Promise.all(
    sessions.map(
      (session) =>
        new Promise<void>((resolve) => {
          session.serve(() => (leftCount-- > 0 ? job : null), resolve)
        }),
    ),
  )
  const perSecond = mailCount / ((performance.now() - startedAt) / 1000)
  await Promise.all(sessions.map((session) => session.quit()))
  return perSecond
}
