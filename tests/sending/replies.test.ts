import { beforeAll, describe, expect, it } from 'vitest'
import { errors } from '../../contract/core/errors.ts'
import type { ReplySummary } from '../../contract/inbox/reply.ts'
import { languages } from '../../server/inbox/words/languages.ts'
import { answerTo, launchTo, readAll, receive, repliesOf, startReading } from '../support/reading.ts'
import type { TestUser } from '../support/accounts.ts'
import { useServer } from '../support/server.ts'

let user: TestUser
const server = await useServer()
beforeAll(async () => {
  user = await startReading(server)
})

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: user.token, ...(body !== undefined && { body }) })
const readEverything = () => readAll(server, user)
const listed = (query: string) => repliesOf(server, user.token, 1, query)
const report = async (id: string) => (await call('GET', `/email/campaign/${id}/report`)).body as Record<string, number>
const replied = async (id: string) => (await report(id))['replied']
const suppressed = async (email: string) =>
  ((await call('GET', `/email/suppressions?email=${encodeURIComponent(email)}`)).body as { reason: string }[]).map(
    ({ reason }) => reason,
  )

let personCount = 0
const people = (count: number, name = 'reader') =>
  Array.from({ length: count }, () => `${name}.${++personCount}@example.com`)

/** A campaign to one person. */
async function launchToOne(subject = `Doors open ${personCount}`) {
  const [person] = people(1) as [string]
  const { id, mails } = await launchTo(server, user, [person], { subject })
  return { id, person, subject, mail: mails.get(person)!, of: `?campaign_id=${id}` }
}

describe('an answer to a mail', () => {
  it('REPLIES-03 raises the replied figure by one with the first reply of a person and not with the second', async () => {
    const { id, person, mail, of } = await launchToOne()
    expect(await replied(id)).toBe(0)
    receive(server, { from: `Ines Prado <${person}>`, headers: answerTo(mail), text: 'Two places, please.' })
    const [reply] = await listed(of)
    expect(reply).toMatchObject({ kind: 'reply', match: 'id', from_name: 'Ines Prado', is_read: false })
    await expect.poll(() => replied(id)).toBe(1)
    receive(server, { from: person, headers: answerTo(mail), text: 'Three, I mean.' })
    await repliesOf(server, user.token, 2, of)
    await readEverything()
    expect(await replied(id)).toBe(1)
  })

  it('REPLIES-06 REPLIES-07 is none from the Sent folder, from a mailbox of the workspace, or from a mailing list', async () => {
    const { id, person, mail, of } = await launchToOne()
    // A second mailbox, connected while the first one is read.
    await server.sql(
      `insert into email_configs (id, workspace_id, email_address, provider)
       select gen_random_uuid(), workspace_id, 'other@example.org', 'other' from email_configs where id = $1`,
      [user.mailboxId],
    )
    receive(server, { from: person, headers: answerTo(mail), folder: 'Sent', text: 'A copy in Sent.' })
    receive(server, { from: 'sandbox@localhost', headers: answerTo(mail), text: 'My own note.' })
    receive(server, { from: 'other@example.org', headers: answerTo(mail), text: 'From the other mailbox.' })
    const list = ['List-Id: <talk.example.net>', 'Precedence: list']
    receive(server, { from: person, subject: `Re: ${mail.subject}`, headers: list, text: 'Weekly news of the list.' })
    receive(server, { from: person, subject: `Re: ${mail.subject}`, headers: ['Precedence: bulk'], text: 'Bulk.' })
    receive(server, { from: person, headers: [...list, ...answerTo(mail)], text: 'Written over the list.' })
    await readEverything()
    const rows = await listed(of)
    expect(rows.map(({ first_words: words }) => words)).toEqual(['Written over the list.'])
    expect(await replied(id)).toBe(1)
  })

  it('REPLIES-08 with Auto-Submitted: auto-replied is listed as auto-reply and does not count as replied', async () => {
    const { id, person, mail, of } = await launchToOne()
    const headers = [...answerTo(mail), 'Auto-Submitted: auto-replied']
    receive(server, { from: person, subject: 'Thank you for your mail', headers, text: 'We answer within a day.' })
    const [row] = await listed(of)
    expect(row!.kind).toBe('auto_reply')
    await readEverything()
    expect(await report(id)).toMatchObject({ replied: 0, auto_replied: 1 })
    expect((await listed(`${of}&view=auto_reply`))[0]!.id).toBe(row!.id)
    await repliesOf(server, user.token, 0, `${of}&view=reply`)
  })

  it('REPLIES-09 REPLIES-10 without that header it is recognised by its subject in twelve languages, and its day of return is shown', async () => {
    const recipients = people(12, 'away')
    const { id, mails } = await launchTo(server, user, recipients)
    const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    for (const [at, { autoSubjects }] of languages.entries()) {
      const person = recipients[at]!
      const subject = `${autoSubjects[0]!}: Doors open`
      const day = at === 0 ? ahead(200) : ahead(at)
      receive(server, { from: person, subject, headers: answerTo(mails.get(person)!), text: `Back on ${day}.` })
    }
    const rows = await repliesOf(server, user.token, 12, `?campaign_id=${id}&view=auto_reply`)
    const returns = new Map(rows.map((row: ReplySummary) => [row.from_address, row.returns_on]))
    expect(recipients.map((person) => returns.get(person))).toEqual(
      recipients.map((_person, at) => (at === 0 ? null : ahead(at))),
    )
    await readEverything()
    expect(await report(id)).toMatchObject({ replied: 0, auto_replied: 12 })
  })
})

describe('a mail that is matched by sender and subject only', () => {
  const probable = async () => {
    const one = await launchToOne()
    // Mails are found by their address once the digest has counted them; the report counts them before.
    const counted = () =>
      server.sql(
        `select from address_deliveries a join deliveries d on d.workspace_id = a.workspace_id and d.id = a.delivery_id
         where d.campaign_id = $1`,
        [one.id],
      )
    await expect.poll(async () => (await counted()).length).toBe(1)
    receive(server, { from: one.person, subject: `Re: ${one.subject}`, text: 'From another program.' })
    const [row] = await listed(`${one.of}&view=probable`)
    await readEverything()
    return { ...one, row: row! }
  }

  it('REPLIES-11 REPLIES-13 is probable, counts as replied only once it is confirmed, and is settled once', async () => {
    const { id, row } = await probable()
    expect(row).toMatchObject({ kind: 'reply', match: 'probable', is_settled: false })
    expect(await replied(id)).toBe(0)
    expect((await call('POST', `/email/replies/${row.id}/confirm`)).body.is_settled).toBe(true)
    await expect.poll(() => replied(id)).toBe(1)
    for (const act of ['confirm', 'not-a-reply']) {
      const answer = await call('POST', `/email/replies/${row.id}/${act}`)
      expect([answer.status, answer.body.detail]).toEqual([409, errors.reply_settled.sentence])
    }
  })

  it('REPLIES-12 leaves the list by "Not a reply", and the replied figure does not change', async () => {
    const { id, row, of } = await probable()
    expect((await call('POST', `/email/replies/${row.id}/not-a-reply`)).status).toBe(204)
    await repliesOf(server, user.token, 0, of)
    await readEverything()
    expect(await replied(id)).toBe(0)
  })

  it('REPLIES-13 a mail matched by its id is settled from the start', async () => {
    const { person, mail, of } = await launchToOne()
    receive(server, { from: person, headers: answerTo(mail) })
    const [row] = await listed(of)
    const answer = await call('POST', `/email/replies/${row!.id}/not-a-reply`)
    expect([answer.status, answer.body.detail]).toEqual([409, errors.reply_settled.sentence])
  })
})

describe('the calls on replies', () => {
  it('REPLIES-14 answer the same 404 for an unknown id and for a reply of another workspace', async () => {
    const { person, mail, of } = await launchToOne()
    receive(server, { from: person, headers: answerTo(mail) })
    const [row] = await listed(of)
    const stranger = await startReading(server)
    const get = (id: string) => server.call('GET', `/email/replies/${id}`, { token: stranger.token })
    const [unknown, foreign] = [await get('999999'), await get(row!.id)]
    expect([unknown.status, unknown.body.detail]).toEqual([404, errors.reply_not_found.sentence])
    expect(foreign.text.replace(row!.id, '999999')).toBe(unknown.text)
    expect(foreign.status).toBe(404)
    expect((await call('GET', `/email/replies/${row!.id}`)).status).toBe(200)
  })

  it('REPLIES-15 an altered cursor gets 422 cursor_invalid', async () => {
    const page = await call('GET', '/email/replies?limit=1')
    const cursor = page.headers.get('x-next-cursor')!
    expect((await call('GET', `/email/replies?limit=1&cursor=${encodeURIComponent(cursor)}`)).status).toBe(200)
    const answer = await call('GET', `/email/replies?limit=1&cursor=${encodeURIComponent(`${cursor}x!`)}`)
    expect([answer.status, answer.body.detail[0].type]).toEqual([422, 'cursor_invalid'])
  })

  it('REPLIES-16 REPLIES-30 keep read, answered and archived; the mail in the mailbox keeps its flags, and stays when the copy is deleted', async () => {
    const { person, mail, of } = await launchToOne()
    receive(server, { from: person, headers: answerTo(mail), text: 'Keep my flags.' })
    const [row] = await listed(of)
    const stored = () => server.server.sandboxMailbox!.folders.get('INBOX')!.mails
    const before = stored().length
    await call('PATCH', `/email/replies/${row!.id}`, { is_read: true, is_archived: true })
    await call('POST', `/email/replies/${row!.id}/answer`, { text: 'Thank you.' })
    const { body } = await call('GET', `/email/replies/${row!.id}`)
    expect(body).toMatchObject({ is_read: true, is_answered: true, is_archived: true })
    await repliesOf(server, user.token, 0, of)
    expect((await listed(`${of}&view=archived`))[0]).toMatchObject({ is_read: true, is_answered: true })

    expect((await call('DELETE', `/email/replies/${row!.id}`)).status).toBe(204)
    expect((await call('GET', `/email/replies/${row!.id}`)).status).toBe(404)
    await readEverything()
    await repliesOf(server, user.token, 0, `${of}&view=archived`)
    expect(stored().length).toBe(before)
    const kept = stored().find(({ source }) => source.includes('Keep my flags.'))!
    expect([...kept.flags]).toEqual([])
  })

  it('REPLIES-34 erasing a contact removes their replies', async () => {
    const [person] = people(1) as [string]
    const made = await call('POST', '/email/contacts', { email: person })
    const { id, mails } = await launchTo(server, user, [person])
    receive(server, { from: person, headers: answerTo(mails.get(person)!), text: 'My private words.' })
    await listed(`?campaign_id=${id}`)
    const erased = await call('POST', `/email/contacts/${made.body.id as string}/erase`, { email: person })
    expect([erased.status, erased.text]).toEqual([204, ''])
    await repliesOf(server, user.token, 0, `?campaign_id=${id}`)
    expect(await server.sql("select from inbox_mails where excerpt like '%My private words%'")).toEqual([])
  })
})

describe('the contact who replied', () => {
  it('REPLIES-33 is found by a segment "replied"; who sent an auto-reply only is not', async () => {
    const [answers, away] = people(2, 'segment') as [string, string]
    for (const email of [answers, away]) await call('POST', '/email/contacts', { email })
    const { id, mails } = await launchTo(server, user, [answers, away])
    receive(server, { from: answers, headers: answerTo(mails.get(answers)!) })
    const headers = [...answerTo(mails.get(away)!), 'Auto-Submitted: auto-replied']
    receive(server, { from: away, subject: 'Out of office', headers })
    await readEverything()
    const rule = { behaviour: 'replied', source: { campaigns: [id] } }
    const found = async () => {
      const { body } = await call('GET', `/email/contacts?rule=${encodeURIComponent(JSON.stringify(rule))}`)
      return (body as { email: string }[]).map(({ email }) => email)
    }
    await expect.poll(found).toEqual([answers])
    expect(await report(id)).toMatchObject({ replied: 1, auto_replied: 1 })
  })
})

describe('a second campaign to those who did not open the first', () => {
  it('REPLIES-32 leaves out who replied', async () => {
    const [answering, silent] = people(2) as [string, string]
    const { id, mails } = await launchTo(server, user, [answering, silent], { subject: 'First call' })
    await server.sql(`update messages set tracking = 'identified' where campaign_id = $1`, [id])
    receive(server, { from: answering, headers: answerTo(mails.get(answering)!), text: 'I have read it.' })
    await readEverything()
    await expect.poll(() => replied(id)).toBe(1)
    const status = async () => ((await call('GET', `/email/campaign/${id}`)).body as { status: string }).status
    await expect.poll(status).toBe('finished')
    const made = await call('POST', `/email/campaign/${id}/resend`, { to: 'not_opened', subject: 'Second call' })
    expect(made.status).toBe(201)
    const { body } = await call('GET', `/email/campaign/${(made.body as { id: string }).id}/recipients`)
    expect((body as { recipient: string }[]).map(({ recipient }) => recipient)).toEqual([silent])
  })
})

describe('a request to stop', () => {
  it('REPLIES-26 is obeyed where the text above the quotation is only that word, in any of the twelve languages', async () => {
    const recipients = people(12, 'leaves')
    const { id, mails } = await launchTo(server, user, recipients)
    for (const [at, { unsubscribe }] of languages.entries()) {
      const mail = mails.get(recipients[at]!)!
      const text = `${unsubscribe[0]!}.\n\nOn Monday, sandbox@localhost wrote:\n> Come at six.`
      receive(server, { from: recipients[at]!, headers: answerTo(mail), text })
    }
    await readEverything()
    for (const person of recipients) await expect.poll(() => suppressed(person)).toEqual(['unsubscribed'])
    expect((await report(id))['unsubscribed']).toBe(12)
  })

  it('REPLIES-27 with more text it stays a reply and unsubscribes nobody', async () => {
    const { id, person, mail, of } = await launchToOne()
    receive(server, { from: person, headers: answerTo(mail), text: 'Do not stop: I would never unsubscribe.' })
    const [row] = await listed(of)
    expect(row!.kind).toBe('reply')
    await readEverything()
    expect(await suppressed(person)).toEqual([])
    expect((await report(id))['unsubscribed']).toBe(0)
  })

  it('REPLIES-28 from somebody who never got a mail it changes nothing', async () => {
    const { subject, mail } = await launchToOne()
    const total = async () => Number((await call('GET', '/email/suppressions')).headers.get('x-total-count'))
    const [count, before] = [await total(), (await call('GET', '/email/replies')).headers.get('x-total-count')]
    const forged = mail.headers['message-id']!.replace(/\.\d+\./, '.1.')
    receive(server, { from: 'stranger@example.net', subject: `Re: ${subject}`, text: 'Unsubscribe' })
    const headers = [`In-Reply-To: ${forged}`, `References: ${forged}`]
    receive(server, { from: 'stranger@example.net', headers, text: 'Unsubscribe' })
    await readEverything()
    expect(await suppressed('stranger@example.net')).toEqual([])
    expect(await total()).toBe(count)
    expect((await call('GET', '/email/replies')).headers.get('x-total-count')).toBe(before)
  })

  it('REPLIES-29 the call behind "Unsubscribe this person" keeps every later campaign from the person', async () => {
    const { person, mail, of } = await launchToOne()
    receive(server, { from: person, headers: answerTo(mail), text: 'I had enough of these mails.' })
    const [row] = await listed(of)
    expect((await call('POST', `/email/replies/${row!.id}/unsubscribe`)).status).toBe(204)
    expect(await suppressed(person)).toEqual(['unsubscribed'])
    const [other] = people(1) as [string]
    const later = await launchTo(server, user, [person, other], { subject: 'Later', isWaiting: false })
    await server.mailsTo(other)
    const { body } = await call('GET', `/email/campaign/${later.id}/recipients`)
    const states = (body as { recipient: string; state: string }[]).map(({ recipient, state }) => [recipient, state])
    expect(Object.fromEntries(states)).toMatchObject({ [person]: 'suppressed' })
    expect((await server.mailsTo(person)).map(({ subject }) => subject)).not.toContain('Later')
  })
})

describe('an answer to a reply', () => {
  it('REPLIES-22 REPLIES-23 REPLIES-24 leaves from the mailbox that got it, in the same thread, without pixel, link of ours or footer; the reply is answered', async () => {
    await call('PATCH', '/workspace', { tracking: 'identified', api_tracking: 'identified' })
    const { person, mail, of, subject } = await launchToOne()
    const replyId = receive(server, { from: person, subject: `AW: ${subject}`, headers: answerTo(mail) })
    const [row] = await listed(of)
    const text = 'See https://example.org/map and ring at {{door}}.'
    const answered = await call('POST', `/email/replies/${row!.id}/answer`, { text })
    expect([answered.status, answered.body.is_answered, answered.body.is_read]).toEqual([200, true, true])
    const [sent] = await server.mailsTo(person, 2)
    expect(sent!.from).toBe('sandbox@localhost')
    expect(sent!.subject).toBe(`AW: ${subject}`)
    expect(sent!.headers['in-reply-to']).toBe(replyId)
    const references = /^References: (.+(?:\r?\n\s.+)*)/m.exec(sent!.raw)![1]!
    expect(references.trim().split(/\s+/)).toEqual([mail.headers['message-id'], replyId])
    expect(sent!.html).toBeNull()
    expect(sent!.text).toContain('See https://example.org/map and ring at')
    expect(sent!.text).toContain('> Thank you.')
    expect(sent!.text!.match(/https?:\/\/\S+/g)).toEqual(['https://example.org/map'])
    expect(sent!.text).not.toMatch(/unsubscribe|Main Street/i)
    expect(Object.keys(sent!.headers)).not.toContain('list-unsubscribe')
    expect((await listed(of))[0]!.is_answered).toBe(true)
    await call('PATCH', '/workspace', { tracking: 'off', api_tracking: 'off' })
  })

  it('REPLIES-25 from a paused mailbox gets 409 mailbox_paused', async () => {
    const { person, mail, of } = await launchToOne()
    receive(server, { from: person, headers: answerTo(mail) })
    const [row] = await listed(of)
    await server.sql(
      "update email_configs set status = 'paused', pause_reason = 'Its password changed.' where id = $1",
      [user.mailboxId],
    )
    const answer = await call('POST', `/email/replies/${row!.id}/answer`, { text: 'Hello' })
    expect([answer.status, answer.body.detail]).toEqual([409, 'Its password changed.'])
    await server.sql("update email_configs set status = 'active', pause_reason = null where id = $1", [user.mailboxId])
    expect((await listed(of))[0]!.is_answered).toBe(false)
  })
})
