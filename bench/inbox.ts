import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser } from 'mailparser'
import type { Reading } from '../contract/inbox/reading.ts'
import type { Suppression } from '../contract/audience/suppression.ts'
import { classifyHeaders } from '../server/inbox/classify.ts'
import { MailHeaders } from '../server/inbox/mime/headers.ts'
import { readMail, type FindDelivery } from '../server/inbox/read-mail.ts'
import { bounceSamples } from '../tests/support/bounces/bounce-samples.ts'
import { signIn, type Member } from '../tests/support/import-process.ts'
import { letter, reply, report as bounceReport } from '../tests/support/inbox/incoming.ts'
import { startScriptedImap } from '../tests/support/inbox/scripted-imap.ts'
import { createServerHome } from '../tests/support/server-home.ts'
import { startSmtpSink, type SmtpSink } from '../tests/support/smtp-sink.ts'
import { measureAccuracy } from './inbox/accuracy.ts'
import { measureHostile } from './inbox/hostile.ts'
import { quantile, type Bench } from './report.ts'

const bounceCount = 20
/** With the one that bounces arrive in, as many connections as a process opens. */
const idleCount = 999
const limits = { suppressionMs: 10_000, mailsPerSecond: 1000, idleMiB: 200 }
const readForMs = 3000
/** Changes of mailboxes at the same time. */
const concurrency = 8

/** Reading mailboxes: from a bounce to the suppression, what a mail costs, and mailboxes that wait. Runs only if named. */
export const inboxBench: Bench = {
  name: 'inbox',
  title: `Reading mailboxes by IMAP: bounce to suppression, classifying on one core, ${idleCount} idle mailboxes`,
  isLong: true,
  async run() {
    const classified = await measureClassifying()
    const parsed = await measureParsing()
    const sink = await startSmtpSink()
    const imap = await startScriptedImap()
    await using home = await createServerHome({
      ...{ CALLS_PER_SECOND: '0', LOG_LEVEL: 'warn' },
      ...{ SMTP_ALLOW: `127.0.0.1:${sink.port}`, IMAP_ALLOW: `127.0.0.1:${imap.port}` },
    })
    try {
      const server = await home.start()
      const member = await signIn(server)
      const connect = (address: string) => connectMailbox(member, address, { smtp: sink.port, imap: imap.port })
      const delays = await measureSuppressions(member, sink, imap, await connect('bounces@example.com'))
      const pid = server.child.pid ?? 0
      const before = await residentMiB(pid)
      const mailboxes = await inTurns(idleCount, async (at) => connect(`studio-${at}@example.com`))
      for (const { id } of mailboxes) await untilLive(member, id)
      await sleep(10_000)
      const after = await residentMiB(pid)
      const suppression = { unit: 'ms', baseline: limits.suppressionMs, against: 'limit' }
      return [
        { case: 'bounce in the mailbox → suppression, median', value: quantile(delays, 0.5), ...suppression },
        { case: 'bounce in the mailbox → suppression, worst', value: Math.max(...delays), ...suppression },
        {
          case: 'mails classified and read, one core',
          value: classified,
          unit: '/s',
          baseline: limits.mailsPerSecond,
          against: 'limit',
        },
        { case: 'the same', value: classified, unit: '/s', baseline: parsed, against: 'mailparser, parsing only' },
        {
          case: `${imap.openCount} connections that idle, memory of the server`,
          value: after - before,
          unit: 'MiB',
          baseline: limits.idleMiB,
          against: 'limit',
        },
      ]
    } finally {
      await imap.close()
      await sink.close()
    }
  },
}

/** Part of `inbox`, and a benchmark of its own. */
export const inboxHostileBench: Bench = {
  name: 'inbox-hostile',
  partOf: 'inbox',
  title: 'Sending beside the reading of 10,000 mails at once, hostile ones among them, in one server',
  isLong: true,
  run: measureHostile,
}

/** How real bounces are read. */
export const inboxAccuracyBench: Bench = {
  name: 'inbox-accuracy',
  partOf: 'inbox',
  title: 'Bounces of the folder BOUNCE_FOLDER',
  isLong: true,
  run: measureAccuracy,
}

/** Bounces of many systems, answers, and mails that concern nothing, in equal shares. */
const sources: readonly Buffer[] = bounceSamples.flatMap(({ source }, at) => {
  const mail = { recipient: `ann-${at}@example.org`, subject: 'Doors open', messageId: `<${at}@example.com>` }
  return [
    Buffer.from(source),
    reply(mail, 'Thank you, we come at six.\n\n> Come at six.\n'),
    letter('news@example.net', 'This week', 'Nothing of yours. '.repeat(100), 'List-Id: <news.example.net>\n'),
  ]
})

const find: FindDelivery = {
  byId: () => Promise.resolve(null),
  isProved: () => false,
  byProviderId: () => Promise.resolve(null),
  byAddress: () => Promise.resolve(null),
  bySubject: () => Promise.resolve(null),
}

/** Mails a second of header, decision and, for a candidate, the reading of its source. */
function measureClassifying(): Promise<number> {
  const ownAddresses = new Set(['studio@example.com'])
  return rate(async (source, at) => {
    const text = source.toString('latin1')
    const end = text.search(/\r?\n\r?\n/)
    const headers = new MailHeaders(text.slice(0, end === -1 ? text.length : end + 2))
    const candidate = classifyHeaders(headers, { role: 'inbox', ownAddresses })
    if (candidate === 'none' || candidate === 'own') return
    const place = { folder: 'INBOX', role: 'inbox', uidValidity: 1, uid: at + 1, receivedAt: new Date() } as const
    await readMail(candidate, headers, source, { ...place, sizeBytes: source.length }, find)
  })
}

const measureParsing = () =>
  rate(async (source) => {
    await simpleParser(source)
  })

/** Mails a second of CPU time. */
async function rate(work: (source: Buffer, at: number) => Promise<void>): Promise<number> {
  let count = 0
  const startedAt = performance.now()
  const startCpu = process.cpuUsage()
  while (performance.now() - startedAt < readForMs) {
    for (const [at, source] of sources.entries()) await work(source, at)
    count += sources.length
  }
  const { user, system } = process.cpuUsage(startCpu)
  return count / ((user + system) / 1e6)
}

interface Connected {
  id: string
  secretKey: string
}

/** Connects a mailbox, sends one mail from it, so that it is live, and switches reading on. */
async function connectMailbox(
  member: Member,
  address: string,
  ports: { smtp: number; imap: number },
): Promise<Connected> {
  const { id, secret_key: secretKey } = await member.call<{ id: string; secret_key: string }>('POST', '/email/config', {
    ...{ email_address: address, provider: 'other', app_password: 'app password' },
    ...{ smtp_host: '127.0.0.1', smtp_port: ports.smtp, smtp_security: 'none' },
  })
  await send(member.url, secretKey, 'first@example.org')
  await member.call('PATCH', `/email/configs/${id}`, {
    ...{ reading: true, imap_host: '127.0.0.1', imap_port: ports.imap, imap_security: 'none' },
  })
  return { id, secretKey }
}

async function send(url: string, secretKey: string, recipient: string): Promise<string> {
  const response = await fetch(`${url}/api/send-mail/${secretKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipient_list: [recipient], subject: 'Doors open', content: '<p>Come at six.</p>' }),
  })
  if (!response.ok) throw new Error(`The mail was refused: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

async function untilLive({ call }: Member, id: string): Promise<void> {
  await until(async () => (await call<Reading>('GET', `/email/configs/${id}/reading`)).state === 'live')
}

/** Milliseconds from a report in the mailbox to the address on the list of suppressions, one after the other. */
async function measureSuppressions(
  member: Member,
  sink: SmtpSink,
  imap: Awaited<ReturnType<typeof startScriptedImap>>,
  { id, secretKey }: Connected,
): Promise<number[]> {
  await untilLive(member, id)
  const delays: number[] = []
  for (let at = 0; at < bounceCount; at++) {
    const recipient = `gone-${at}@example.org`
    await send(member.url, secretKey, recipient)
    const mailOf = () => sink.mails.find(({ to }) => to.includes(recipient))
    await until(() => Promise.resolve(mailOf() !== undefined))
    const messageId = /^message-id:\s*(<[^>]+>)/im.exec((mailOf()?.raw ?? '').toString('latin1'))?.[1] ?? ''
    const startedAt = performance.now()
    imap.store.append('INBOX', bounceReport({ recipient, subject: 'Doors open', messageId }), new Date())
    await until(async () =>
      (await member.call<Suppression[]>('GET', '/email/suppressions?limit=5')).some(({ email }) => email === recipient),
    )
    delays.push(performance.now() - startedAt)
  }
  return delays
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 300_000
  while (!(await isTrue())) {
    if (performance.now() > giveUpAt) throw new Error('Waited for five minutes')
    await sleep(20)
  }
}

async function inTurns<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const done: T[] = []
  let next = 0
  const runNext = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) done.push(await work(at))
  }
  await Promise.all(Array.from({ length: concurrency }, runNext))
  return done
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}
