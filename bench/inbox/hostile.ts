import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign } from '../../contract/mail/campaign.ts'
import type { Reading } from '../../contract/inbox/reading.ts'
import { createAuthority } from '../../tests/support/certificate.ts'
import { signIn, type Member } from '../../tests/support/import-process.ts'
import { hostileMails } from '../../tests/support/inbox/hostile-mails.ts'
import { letter } from '../../tests/support/inbox/incoming.ts'
import { startScriptedImap, type ScriptedImap } from '../../tests/support/inbox/scripted-imap.ts'
import { createServerHome } from '../../tests/support/server-home.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { cpuSeconds } from '../engine/cpu.ts'
import { sinkHost, startSink } from '../engine/sink.ts'
import type { Figure } from '../report.ts'

const mailCount = 10_000
const recipientCount = 10_000
/** Recipients of one call. */
const batchCount = 1000
/** Of the mail server's answers, so that the sender waits for the network as it does in production. */
const answerMs = 25
const limits = { memoryMiB: 150, rateShare: 0.95 }
const pollMs = 50

type Row = Omit<Figure, 'bench'>

/**
 * One server that sends a campaign, alone and while 10,000 mails arrive in a mailbox that it reads, malformed ones and one of
 * 100 MB among them: its memory above that of sending alone, and its rate.
 */
export async function measureHostile(): Promise<Row[]> {
  await using folder = await temporaryFolder()
  const authority = createAuthority()
  const caFile = path.join(folder.path, 'ca.pem')
  await writeFile(caFile, authority.ca)
  await using sink = await startSink(authority.issue(sinkHost), answerMs)
  const imap = await startScriptedImap()
  await using undo = new AsyncDisposableStack()
  undo.defer(() => imap.close())
  const home = undo.use(
    await createServerHome({
      ...{ CALLS_PER_SECOND: '0', LOG_LEVEL: 'warn', NODE_EXTRA_CA_CERTS: caFile },
      ...{ SMTP_ALLOW: `${sinkHost}:${sink.port}`, IMAP_ALLOW: `127.0.0.1:${imap.port}` },
    }),
  )
  const server = await home.start()
  const pid = server.child.pid ?? 0
  const member = await signIn(server)
  await member.call('PATCH', '/workspace', { postal_address: 'Studio, Main Street 1, 10115 Berlin' })
  const mailboxId = await connect(member, sink.port, imap.port)

  const rateOf = () => sendCampaign(member, mailboxId)
  await rateOf()
  const alone = await watched(pid, rateOf)
  fill(imap)
  const startCpu = await cpuSeconds(pid)
  const readFrom = performance.now()
  const reading = untilSeen(member, mailboxId, imap.store.folders.get('INBOX')?.mails.length ?? 0)
  const beside = await watched(pid, rateOf)
  await reading
  const readMs = performance.now() - readFrom
  const usedCpu = (await cpuSeconds(pid)) - startCpu
  const again = await watched(pid, rateOf)
  const rate = (alone.value + again.value) / 2
  return [
    {
      ...{ case: `${mailCount} mails at once, memory above sending alone`, value: beside.peakMiB - alone.peakMiB },
      ...{ unit: 'MiB', baseline: limits.memoryMiB, against: 'limit' },
    },
    {
      ...{ case: 'mails sent while they are read', value: beside.value, unit: '/s', baseline: limits.rateShare * rate },
      against: '0.95 of sending alone, before and after',
    },
    { case: 'until all are read', value: readMs, unit: 'ms', baseline: null, against: '' },
    { case: 'CPU time of the server in that time', value: 1000 * usedCpu, unit: 'ms', baseline: null, against: '' },
  ]
}

async function connect({ call }: Member, smtpPort: number, imapPort: number): Promise<string> {
  const { id } = await call<{ id: string }>('POST', '/email/config', {
    ...{ email_address: 'studio@example.com', provider: 'other', app_password: 'app password' },
    ...{ smtp_host: sinkHost, smtp_port: smtpPort, smtp_security: 'tls' },
  })
  await call('PATCH', `/email/configs/${id}`, {
    ...{ reading: true, imap_host: '127.0.0.1', imap_port: imapPort, imap_security: 'none', limit_connections: 10 },
  })
  const stateOf = async () => (await call<Reading>('GET', `/email/configs/${id}/reading`)).state
  while (!/live|polling/.test(await stateOf())) await sleep(pollMs)
  return id
}

let campaignCount = 0

/** Mails a second from the launch to the end of a campaign. */
async function sendCampaign({ call, url, token }: Member, mailboxId: string): Promise<number> {
  const peopleFrom = (start: number) =>
    Array.from({ length: batchCount }, (_, at) => `p${campaignCount}.${start + at}@example.org`)
  const { id } = await call<Campaign>('POST', '/email/campaign', {
    ...{ name: `Bench ${++campaignCount}`, subject: 'Doors open', body: `<p>${'Come at six. '.repeat(100)}</p>` },
    ...{ config_id: mailboxId, recipients: peopleFrom(0) },
  })
  for (let start = batchCount; start < recipientCount; start += batchCount) {
    await upload(url, token, id, peopleFrom(start))
  }
  const startedAt = performance.now()
  await call('POST', `/email/campaign/${id}/launch`, {})
  while ((await call<Campaign>('GET', `/email/campaign/${id}`)).status !== 'finished') await sleep(pollMs)
  return recipientCount / ((performance.now() - startedAt) / 1000)
}

async function upload(url: string, token: string, id: string, recipients: readonly string[]): Promise<void> {
  const response = await fetch(`${url}/email/campaign/${id}/recipients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body: recipients.map((email) => `${JSON.stringify({ email })}\n`).join(''),
  })
  if (!response.ok) throw new Error(`Recipients were refused: ${response.status} ${await response.text()}`)
  await response.arrayBuffer()
}

/** Letters that concern nothing, and every tenth mail a hostile one, spread over the whole. */
function fill(imap: ScriptedImap): void {
  const hostile = hostileMails()
  const huge = Buffer.concat([letter('big@example.net', 'Film', 'x'), Buffer.alloc(100 * 1024 * 1024, 'a')])
  for (let at = 0; at < mailCount; at++) {
    const bad = at % 10 === 0 ? hostile[(at / 10) % hostile.length]?.source : undefined
    const source =
      at === mailCount / 2 ? huge : (bad ?? letter('news@example.net', `News ${at}`, 'Nothing. '.repeat(100)))
    imap.store.append('INBOX', source, new Date())
  }
}

async function untilSeen({ call }: Member, mailboxId: string, count: number): Promise<void> {
  for (;;) {
    const { counts } = await call<Reading>('GET', `/email/configs/${mailboxId}/reading`)
    if (counts.seen >= count) return
    await sleep(pollMs)
  }
}

/** What the work gives, and the process's peak resident memory meanwhile, in MiB (Linux). */
async function watched(pid: number, work: () => Promise<number>): Promise<{ value: number; peakMiB: number }> {
  let peakMiB = 0
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '') // Not available on other systems.
      peakMiB = Math.max(peakMiB, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      await sleep(pollMs)
    }
  })()
  const value = await work()
  over.abort()
  await watching
  return { value, peakMiB }
}
