import { createHash, randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, vi } from 'vitest'
import { eventFlags } from '../../contract/results/event.ts'
import type { CampaignReport } from '../../contract/results/report.ts'
import type { Hit } from '../../server/domain/events/new-event.ts'
import { writeHits } from '../../server/store/events/inbox.ts'
import { describeAgent } from '../../server/tracking/agent.ts'
import { agentTexts } from './event-world.ts'
import { systemScope } from './scope.ts'
import { createUser, type TestUser } from './accounts.ts'
import { startTestServer, type TestServer } from './server.ts'
import { startSmtpSink, type Answer, type SmtpSink } from './smtp-sink.ts'

/** What a mail client did with a mail of a sent campaign. */
export interface ClientAct {
  who: string
  /** Minutes after the mail server took the mail. */
  afterMinutes: number
  link?: number
  agent?: keyof typeof agentTexts
}

/** A real server with a mailbox that sends to a sink, and a user whose workspace measures opens and clicks. */
export interface ReportSite extends AsyncDisposable {
  server: TestServer
  sink: SmtpSink
  user: TestUser
  mailboxId: string
  call: TestServer['call']
  /** Sends a campaign and waits until each mail has a result; the mails count as taken three hours ago. */
  send: (campaign: object, recipients: readonly (string | object)[]) => Promise<string>
  /** Puts what mail clients did into the inbox of events, as the tracking door does. */
  act: (campaignId: string, ...acts: readonly ClientAct[]) => Promise<void>
  /** Waits until the report of the campaign agrees. */
  untilReport: (campaignId: string, isDone: (report: CampaignReport) => boolean) => Promise<CampaignReport>
}

const takenMsAgo = 3 * 3_600_000

/** `refused`: addresses that the mail server refuses for good, each with its reply. */
export async function startReportSite({
  refused = {},
  tracking = 'identified',
}: { refused?: Readonly<Record<string, string>>; tracking?: string } = {}): Promise<ReportSite> {
  const sink = await startSmtpSink({ onRecipient: (address) => refused[address] as Answer })
  const server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  const user = await createUser(server)
  const pool = new pg.Pool({ connectionString: server.database.url, max: 2 })
  pool.on('error', () => undefined)
  const agents = Object.fromEntries(Object.entries(agentTexts).map(([name, text]) => [name, describeAgent(text)]))
  const writer = randomUUID()
  let byteOffset = 0

  const call: TestServer['call'] = (method, path, options = {}) =>
    server.call(method, path, { token: user.token, ...options })
  await call('PATCH', '/workspace', { body: { postal_address: 'Main Street 1, Bristol', tracking } })
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const mailbox = { email_address: 'shop@example.com', provider: 'other', app_password: 'any', ...at }
  const mailboxId = ((await call('POST', '/email/config', { body: mailbox })).body as { id: string }).id

  return {
    server,
    sink,
    user,
    mailboxId,
    call,

    async send(campaign, recipients) {
      const made = await call('POST', '/email/campaign', { body: { config_id: mailboxId, ...campaign, recipients } })
      const { id } = made.body as { id: string }
      await call('POST', `/email/campaign/${id}/launch`, { body: {} })
      const status = async () => ((await call('GET', `/email/campaign/${id}`)).body as { status: string }).status
      await vi.waitFor(async () => expect(await status()).toBe('finished'), { timeout: 60_000, interval: 50 })
      await pool.query(
        `update deliveries set settled_at = settled_at - $2::float8 * interval '1 millisecond'
         where campaign_id = $1 and settled_at is not null`,
        [id, takenMsAgo],
      )
      return id
    },

    async act(campaignId, ...acts) {
      const { rows } = await pool.query<{
        workspace: string
        message: string
        id: number
        month: string
        recipient: string
        at: Date
      }>(
        `select workspace_id as workspace, message_id as message, id::int, month::text, recipient, settled_at as at
         from deliveries where campaign_id = $1`,
        [campaignId],
      )
      const hits = acts.map(({ who, afterMinutes, link, agent = 'firefox' }): Hit => {
        const mail = rows.find(({ recipient }) => recipient === who)
        if (mail === undefined) throw new Error(`No mail went to ${who}.`)
        return {
          workspaceId: mail.workspace,
          at: new Date(mail.at.getTime() + afterMinutes * 60_000),
          kind: link === undefined ? 'opened' : 'clicked',
          messageId: mail.message,
          deliveryMonth: mail.month,
          deliveryId: mail.id,
          linkNo: link ?? null,
          agentHash: agents[agent]?.hash ?? Buffer.alloc(8),
          netHash: createHash('sha256').update(`network of ${who}`).digest().subarray(0, 8),
          netLabel: null,
          flags: agent === 'gmailPrefetch' ? eventFlags.prefetch : 0,
        }
      })
      byteOffset += 100
      const position = { writer, segment: 1, byteOffset }
      await writeHits(systemScope, { hits, agents: Object.values(agents), position }, pool)
    },

    async untilReport(campaignId, isDone) {
      let report: CampaignReport | null = null
      const read = async () => {
        report = (await call('GET', `/email/campaign/${campaignId}/report`)).body as CampaignReport
        return isDone(report)
      }
      await vi.waitFor(async () => expect(await read()).toBe(true), { timeout: 60_000, interval: 100 })
      return report as unknown as CampaignReport
    },

    async [Symbol.asyncDispose]() {
      await pool.end()
      await server[Symbol.asyncDispose]()
      await sink.close()
    },
  }
}
