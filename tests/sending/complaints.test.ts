import { beforeAll, describe, expect, it } from 'vitest'
import { launchTo, readAll, receive, repliesOf, startReading } from '../support/reading.ts'
import type { TimelineEntry } from '../../contract/audience/contact.ts'
import type { SandboxMessage } from '../../contract/mail/sandbox.ts'
import type { TestUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
const server = await useServer()
beforeAll(async () => {
  user = await startReading(server)
})

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: user.token, ...(body !== undefined && { body }) })
const report = async (id: string) => (await call('GET', `/email/campaign/${id}/report`)).body as Record<string, number>
const finished = (id: string) =>
  expect
    .poll(async () => ((await call('GET', `/email/campaign/${id}`)).body as { status: string }).status)
    .toBe('finished')
const suppressed = async (email: string) =>
  ((await call('GET', `/email/suppressions?email=${encodeURIComponent(email)}`)).body as { reason: string }[]).map(
    ({ reason }) => reason,
  )
const suppressedCount = async () => Number((await call('GET', '/email/suppressions')).headers.get('x-total-count'))

let personCount = 0
const people = (count: number) => Array.from({ length: count }, () => `reader.${++personCount}@example.com`)

/** A feedback report (RFC 5965) about a mail with this Message-ID. */
function feedback(messageId: string, recipient: string, type: string): string[] {
  return [
    '--arf',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'This is an email abuse report for a message received from 192.0.2.1.',
    '',
    '--arf',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: Yahoo!-Mail-Feedback/2.0',
    'Version: 1',
    `Original-Rcpt-To: ${recipient}`,
    '',
    '--arf',
    'Content-Type: message/rfc822',
    '',
    'From: sandbox@localhost',
    `To: ${recipient}`,
    'Subject: Doors open',
    `Message-ID: ${messageId}`,
    '',
    'Come at six.',
    '',
    '--arf--',
  ]
}

function receiveReport(messageId: string, recipient: string, id?: string, type = 'abuse'): void {
  receive(server, {
    from: 'feedback@arf.mail.yahoo.com',
    subject: 'FW: Doors open',
    headers: [
      'Content-Type: multipart/report; report-type=feedback-report; boundary="arf"',
      ...(id === undefined ? [] : [`Message-ID: ${id}`]),
    ],
    text: feedback(messageId, recipient, type).join('\n'),
  })
}

const messageIdOf = (mail: SandboxMessage) => mail.headers['message-id']!

describe('a feedback report', () => {
  it('COMPLAINTS-01 COMPLAINTS-07 with the Message-ID of a sent mail suppresses its recipient as complained; it is no reply', async () => {
    const [person] = people(1) as [string]
    const { id, mails } = await launchTo(server, user, [person])
    expect((await report(id))['complained']).toBe(0)
    receiveReport(messageIdOf(mails.get(person)!), 'redacted@yahoo.example')
    await readAll(server, user)
    expect(await suppressed(person)).toEqual(['complained'])
    expect(await report(id)).toMatchObject({ complained: 1, replied: 0, auto_replied: 0 })
    for (const view of ['new', 'reply', 'auto_reply', 'probable', 'unverified', 'archived']) {
      await repliesOf(server, user.token, 0, `?campaign_id=${id}&view=${view}`)
    }
  })

  it('COMPLAINTS-02 stands on the timeline of the contact and raises the figure of the campaign by one', async () => {
    const [person] = people(1) as [string]
    const contact = (await call('POST', '/email/contacts', { email: person })).body as { id: string }
    const { id, mails } = await launchTo(server, user, [person], { subject: 'Autumn show' })
    expect((await report(id))['complained']).toBe(0)
    receiveReport(messageIdOf(mails.get(person)!), person)
    await readAll(server, user)
    expect((await report(id))['complained']).toBe(1)
    const { body } = await call('GET', `/email/contacts/${contact.id}/timeline`)
    const entries = (body as TimelineEntry[]).filter(({ kind }) => kind === 'complained')
    expect(entries.map(({ title, object_id: campaignId }) => [title, campaignId])).toEqual([['Autumn show', id]])
  })

  it('COMPLAINTS-03 COMPLAINTS-04 that matches no mail, is about a stranger or names a guessed delivery changes nothing', async () => {
    const [person, neighbour] = people(2) as [string, string]
    const { id, mails } = await launchTo(server, user, [person, neighbour])
    const before = await suppressedCount()
    const own = messageIdOf(mails.get(person)!)
    const theirs = messageIdOf(mails.get(neighbour)!)
    const delivery = (messageId: string) => /\.(\d+)\./.exec(messageId)![1]!
    // The neighbour's delivery with the code of the own one, and without any code.
    const guessed = own.replace(`.${delivery(own)}.`, `.${delivery(theirs)}.`)
    const bare = theirs.replace(/\.[0-9a-f]{16}@/, '@')
    receiveReport('<unknown.1@example.net>', person)
    receiveReport('<0190a1b2-0000-7000-8000-000000000000.1.0123456789abcdef@localhost>', 'stranger@example.net')
    receiveReport(guessed, neighbour)
    receiveReport(bare, neighbour)
    await readAll(server, user)
    expect(await suppressedCount()).toBe(before)
    expect((await report(id))['complained']).toBe(0)
    // The same report with the true id is obeyed.
    receiveReport(theirs, neighbour)
    await readAll(server, user)
    expect(await suppressed(neighbour)).toEqual(['complained'])
    expect(await suppressed(person)).toEqual([])
  })

  it('COMPLAINTS-05 received twice counts once', async () => {
    const [person] = people(1) as [string]
    const { id, mails } = await launchTo(server, user, [person])
    const own = messageIdOf(mails.get(person)!)
    receiveReport(own, person, '<report.1@arf.mail.yahoo.com>')
    receiveReport(own, person, '<report.1@arf.mail.yahoo.com>')
    receiveReport(own, person, '<report.2@arf.mail.yahoo.com>')
    await readAll(server, user)
    expect((await report(id))['complained']).toBe(1)
    const { body } = await call('GET', `/email/campaign/${id}/recipients?did=complained`)
    expect((body as { recipient: string }[]).map(({ recipient }) => recipient)).toEqual([person])
  })

  it('that says "not spam" is no complaint', async () => {
    const [person, other] = people(2) as [string, string]
    const { id, mails } = await launchTo(server, user, [person, other])
    receiveReport(messageIdOf(mails.get(person)!), person, undefined, 'not-spam')
    receiveReport(messageIdOf(mails.get(other)!), other)
    await readAll(server, user)
    expect([await suppressed(person), await suppressed(other)]).toEqual([[], ['complained']])
    expect((await report(id))['complained']).toBe(1)
  })

  it('COMPLAINTS-06 keeps later campaigns from the person, whose row says suppressed', async () => {
    const [person, other] = people(2) as [string, string]
    const { mails } = await launchTo(server, user, [person])
    receiveReport(messageIdOf(mails.get(person)!), person)
    await readAll(server, user)
    const later = await launchTo(server, user, [person, other], { subject: 'Later', isWaiting: false })
    await server.mailsTo(other)
    const { body } = await call('GET', `/email/campaign/${later.id}/recipients`)
    const rows = (body as { recipient: string; state: string }[]).map(({ recipient, state }) => [recipient, state])
    expect(Object.fromEntries(rows)[person]).toBe('suppressed')
    expect((await server.mailsTo(person)).map(({ subject }) => subject)).not.toContain('Later')
  })
})

describe('a mail that only says "unsubscribe" and answers none of ours', () => {
  it('unsubscribes its sender only with a pass of SPF or DKIM, for anybody can write a From', async () => {
    const [person] = people(1) as [string]
    const { id } = await launchTo(server, user, [person])
    // Found by its address, and therefore not before it is settled.
    await finished(id)
    const ask = (...headers: string[]) =>
      receive(server, { from: person, subject: 'A request', text: 'unsubscribe', headers })
    ask()
    ask('Authentication-Results: mx.example.com; spf=fail; dkim=none')
    await readAll(server, user)
    expect(await suppressed(person)).toEqual([])
    await repliesOf(server, user.token, 2, `?campaign_id=${id}&view=unverified`)
    ask('Authentication-Results: mx.example.com; dkim=pass')
    await readAll(server, user)
    expect(await suppressed(person)).toEqual(['unsubscribed'])
  })
})

describe('a mail of a campaign', () => {
  it('COMPLAINTS-09 carries Feedback-ID with campaign and workspace number and without an address', async () => {
    const [person] = people(1) as [string]
    const { id, mails } = await launchTo(server, user, [person])
    const [{ no }] = (await server.sql<{ no: string }>(
      'select d.no::text from workspace_directory d join email_configs c on c.workspace_id = d.workspace_id where c.id = $1',
      [user.mailboxId],
    )) as [{ no: string }]
    const feedbackId = mails.get(person)!.headers['feedback-id']!
    expect(feedbackId.split(':')).toEqual([id, no, 'campaign', 'sendwright'])
    expect(feedbackId).not.toContain('@')
    const body = { recipient_list: [person], subject: 'Your order', content: '<p>Paid.</p>' }
    await server.call('POST', `/api/send-mail/${user.secretKey}`, { body })
    const [single] = await server.mailsTo(person, 2)
    expect(single!.headers).not.toHaveProperty('feedback-id')
  })

  it('COMPLAINTS-10 carries no CFBL-Address, because its provider signs it, with a key that is not ours', async () => {
    const [person] = people(1) as [string]
    const { mails } = await launchTo(server, user, [person])
    const mail = mails.get(person)!
    expect(mail.raw).not.toMatch(/^DKIM-Signature:/im)
    expect(mail.raw).not.toMatch(/^CFBL-(?:Address|Feedback-ID):/im)
  })
})
