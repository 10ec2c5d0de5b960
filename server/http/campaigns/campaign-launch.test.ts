import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser

beforeAll(async () => {
  sink = await startSmtpSink()
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})
beforeEach(async () => {
  user = await createUser(server)
  await server.call('PATCH', '/workspace', { token: user.token, body: { postal_address: '1 Main Street' } })
})

const wait = { interval: 50 }
let personCount = 0
const someone = () => `launched${++personCount}@example.com`
const one = (method: string, path: string, body?: object) =>
  server.call(method, `/email/campaign/${path}`, { token: user.token, body })
const get = async (id: string) => (await one('GET', id)).body as Campaign
const launch = (id: string, body: object = {}) => one('POST', `${id}/launch`, body)
const untilStatus = (id: string, status: string) => expect.poll(async () => (await get(id)).status, wait).toBe(status)
const created = async (changes: object) => {
  const body = { subject: 'Before', body: '<p>Before</p>', config_id: user.mailboxId, ...changes }
  const answer = await server.call('POST', '/email/campaign', { token: user.token, body })
  return answer.body as Campaign
}

/** A mailbox at the scripted mail server. */
async function connectSink(address: string): Promise<{ id: string; secretKey: string }> {
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const body = { email_address: address, provider: 'other', app_password: 'x', ...at }
  const { body: made } = await server.call('POST', '/email/config', { token: user.token, body })
  return { id: made.id as string, secretKey: made.secret_key as string }
}

const pause = (mailboxId: string, until: string | null = null) =>
  server.sql(
    `update email_configs set status = 'paused', pause_reason = 'Wrong password.', paused_until = ${until ?? 'null'}
     where id = $1`,
    [mailboxId],
  )
/** The message of `mailbox_paused`. */
const isPaused = expect.stringMatching(/^The mailbox \S+ is paused\. Wrong password\.$/)
const unpause = (mailboxId: string) =>
  server.sql("update email_configs set status = 'active', pause_reason = null, paused_until = null where id = $1", [
    mailboxId,
  ])
const mailsTo = (address: string) => sink.mails.filter(({ to }) => to.includes(address))

describe('an edit concurrent with a launch', () => {
  it('TRIAL-06 is in every mail when it returns 200 while the launch is in progress', async () => {
    const recipients = [someone(), someone()]
    const { id } = await created({ recipients })
    const holder = new pg.Client({ connectionString: server.database.url })
    await holder.connect()
    try {
      // The launch reads the campaign first and its mailboxes later: here it waits in between.
      await holder.query('begin; lock table email_configs in access exclusive mode')
      const launched = launch(id)
      const blocked = "select from pg_locks where relation = 'email_configs'::regclass and not granted"
      await expect.poll(() => server.sql(blocked), wait).not.toEqual([])
      const edited = one('PATCH', id, { body: '<p>After</p>' })
      const stored = async () => server.sql('select body from campaigns where id = $1', [id])
      await expect.poll(stored, wait).toEqual([{ body: '<p>After</p>' }])
      await holder.query('commit')
      expect([(await edited).status, (await launched).status]).toEqual([200, 200])
    } finally {
      await holder.end()
    }
    expect((await get(id)).body).toBe('<p>After</p>')
    for (const recipient of recipients) {
      const [mail] = await server.mailsTo(recipient)
      expect([mail?.html?.includes('After'), mail?.html?.includes('Before')]).toEqual([true, false])
    }
  })

  it('does not overwrite another concurrent edit', async () => {
    const { id } = await created({})
    const answers = await Promise.all([
      one('PATCH', id, { subject: 'Subject of one' }),
      one('PATCH', id, { body: '<p>Body of another</p>' }),
      one('PATCH', id, { name: 'Name of a third' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await get(id)).toMatchObject({
      subject: 'Subject of one',
      body: '<p>Body of another</p>',
      name: 'Name of a third',
    })
  })

  it('TRIAL-07 returns 409 campaign_state after the launch, and neither the stored text nor the mails change', async () => {
    const mailbox = await connectSink('late.edit@example.com')
    await pause(mailbox.id, "now() + interval '1 hour'")
    const recipient = someone()
    const { id } = await created({ config_id: mailbox.id, recipients: [recipient] })
    expect((await launch(id)).body).toMatchObject({ status: 'sending' })
    for (const changes of [{ subject: 'After' }, { body: '<p>After</p>' }]) {
      expect(await one('PATCH', id, changes)).toMatchObject({
        status: 409,
        body: { detail: 'The campaign is being sent; it cannot be changed, except its name.' },
      })
    }
    expect(await get(id)).toMatchObject({ subject: 'Before', body: '<p>Before</p>' })
    await unpause(mailbox.id)
    await untilStatus(id, 'finished')
    const mails = mailsTo(recipient).map(({ raw }) => raw.toString())
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain('Subject: Before')
    expect(mails[0]).not.toContain('After')
  })
})

describe('paused mailboxes', () => {
  it('TRIAL-10 reject a launch with 409 mailbox_paused only when every one is paused until its owner acts', async () => {
    const [first, second] = [await connectSink('first@example.com'), await connectSink('second@example.com')]
    const campaign = { config_ids: [first.id, second.id] }
    await pause(first.id)
    const beside = await created({ ...campaign, recipients: [someone(), someone()] })
    expect(await launch(beside.id)).toMatchObject({ status: 200, body: { status: 'sending' } })

    await pause(second.id)
    const { id } = await created({ ...campaign, recipients: [someone(), someone()] })
    expect(await launch(id)).toMatchObject({ status: 409, body: { detail: isPaused } })
    expect((await get(id)).status).toBe('draft')

    await pause(second.id, "now() + interval '1 hour'")
    expect(await launch(id)).toMatchObject({ status: 200, body: { status: 'sending' } })
  })

  it('TRIAL-12 reject a test mail with 409 mailbox_paused, and no mail is sent', async () => {
    const mailbox = await connectSink('paused.test@example.com')
    const { id } = await created({ config_id: mailbox.id })
    await pause(mailbox.id)
    const [ofCampaign, ofComposer] = [someone(), someone()]
    const mail = { subject: 'Try', content: '<p>Try</p>', is_test: true }
    const answers = [
      await one('POST', `${id}/test`, { recipient_list: [ofCampaign] }),
      await server.call('POST', `/email/send-mail/${mailbox.secretKey}`, {
        token: user.token,
        body: { ...mail, recipient_list: [ofComposer] },
      }),
    ]
    for (const answer of answers) expect(answer).toMatchObject({ status: 409, body: { detail: isPaused } })
    // If it had been accepted, it would be sent now, before the following one.
    await unpause(mailbox.id)
    const last = someone()
    expect((await one('POST', `${id}/test`, { recipient_list: [last] })).status).toBe(200)
    await expect.poll(() => mailsTo(last).length, wait).toBe(1)
    expect([mailsTo(ofCampaign), mailsTo(ofComposer)]).toEqual([[], []])
    const rows = await server.sql('select recipient from deliveries where config_id = $1', [mailbox.id])
    expect(rows).toEqual([{ recipient: last }])
  })

  it('TRIAL-14 accept a send with 200 while they wait for a daily limit, and the mail is sent after the wait', async () => {
    const mailbox = await connectSink('resting@example.com')
    await pause(mailbox.id, "now() + interval '1 hour'")
    const recipient = someone()
    const answer = await server.call('POST', `/api/send-mail/${mailbox.secretKey}`, {
      body: { recipient_list: [recipient], subject: 'Hi', content: 'Hi' },
    })
    expect([answer.status, answer.body.accepted]).toEqual([200, 1])
    const states = () => server.sql('select state from deliveries where recipient = $1', [recipient])
    expect(await states()).toEqual([{ state: 'queued' }])
    await server.sql('update email_configs set paused_until = now() where id = $1', [mailbox.id])
    await expect.poll(states, wait).toEqual([{ state: 'sent' }])
    expect(mailsTo(recipient)).toHaveLength(1)
  })
})

describe('the state of a campaign', () => {
  it('TRIAL-11 is scheduled again when it is resumed before its start time, and nothing is sent before that time', async () => {
    const recipient = someone()
    const { id } = await created({ recipients: [recipient] })
    const later = new Date(Date.now() + 3_600_000).toISOString()
    await launch(id, { scheduled_at: later })
    expect((await one('POST', `${id}/pause`)).body).toMatchObject({ status: 'paused' })
    expect((await one('POST', `${id}/resume`)).body).toMatchObject({ status: 'scheduled', started_at: null })
    // Another one is sent completely meanwhile: its sender has polled for due deliveries.
    const beside = await created({ recipients: [someone()] })
    await launch(beside.id)
    await untilStatus(beside.id, 'finished')
    expect(await get(id)).toMatchObject({ status: 'scheduled', counts: { queued: 1, sent: 0 } })

    const start = new Date(Date.now() + 1500)
    await one('PATCH', id, { scheduled_at: start.toISOString() })
    await one('POST', `${id}/pause`)
    await one('POST', `${id}/resume`)
    await untilStatus(id, 'finished')
    const rows = await server.sql<{ settled_at: Date }>('select settled_at from deliveries where recipient = $1', [
      recipient,
    ])
    expect(rows.map(({ settled_at: at }) => at >= start)).toEqual([true])
  })

  it('TRIAL-13 stays finished when the finished campaign is deleted', async () => {
    const { id } = await created({ recipients: [someone()] })
    await launch(id)
    await untilStatus(id, 'finished')
    expect((await one('DELETE', id)).status).toBe(204)
    expect((await one('GET', id)).status).toBe(404)
    const kept = await server.sql('select status from campaigns where id = $1', [id])
    expect(kept).toEqual([{ status: 'finished' }])
  })
})
