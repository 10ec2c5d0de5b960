import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser, type TestUser } from '../../../tests/support/accounts.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'

let sink: SmtpSink
let server: TestServer
let user: TestUser
let mailbox: { id: string; key: string }

beforeAll(async () => {
  sink = await startSmtpSink()
  server = await startTestServer({ SMTP_ALLOW: `127.0.0.1:${sink.port}` })
  user = await createUser(server)
  const at = { smtp_host: '127.0.0.1', smtp_port: sink.port, smtp_security: 'none' }
  const config = { email_address: 'studio@example.com', provider: 'other', app_password: 'x', ...at }
  const { body } = await server.call('POST', '/email/config', { token: user.token, body: config })
  mailbox = { id: body.id as string, key: body.secret_key as string }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await sink.close()
})

const wait = { interval: 30 }
let personCount = 0
const someone = () => `later${++personCount}@example.com`
const people = (count: number) => Array.from({ length: count }, someone)
const call = (method: string, path: string, body?: object) =>
  server.call(method, `/email/${path}`, { token: user.token, body })
const send = (changes: object = {}) =>
  call('POST', `send-mail/${mailbox.key}`, {
    recipient_list: [someone()],
    subject: 'Hi',
    content: '<p>Hello</p>',
    ...changes,
  })
const mailsTo = (address: string) => sink.mails.filter(({ to }) => to.includes(address))
const rawTo = (address: string) => mailsTo(address).map(({ raw }) => raw.toString())
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const statesOf = async (id: string) => {
  const { body } = await call('GET', `messages/${id}`)
  return (body.deliveries as { state: string }[]).map(({ state }) => state)
}
/** Makes a message due: its time, or the time to undo it, has come. */
const makeDue = async (id: string) => {
  await server.sql('update deliveries set next_attempt_at = now() where message_id = $1', [id])
  await server.sql(
    'update messages set undo_until = least(undo_until, now()), scheduled_at = least(scheduled_at, now()) where id = $1',
    [id],
  )
}

describe('undo', () => {
  it('UNDO-05 takes `undo_seconds` from 0 to 60 and answers 422 for 61; without it no mail is held back', async () => {
    expect((await send({ undo_seconds: 61 })).body.detail).toMatchObject([{ loc: ['body', 'undo_seconds'] }])
    expect((await send({ undo_seconds: 60 })).status).toBe(200)
    const [now, zero] = people(2) as [string, string]
    expect((await send({ recipient_list: [now] })).body.undo_until).toBeUndefined()
    expect((await send({ recipient_list: [zero], undo_seconds: 0 })).body.undo_until).toBeUndefined()
    expect([mailsTo(now).length, mailsTo(zero).length]).toEqual([1, 1])
  })

  it('UNDO-06 answers at the commit with `undo_until`', async () => {
    const before = Date.now()
    const { status, body } = await send({ undo_seconds: 30 })
    const aheadMs = Date.parse(body.undo_until as string) - before
    expect([status, aheadMs > 25_000 && aheadMs < 40_000]).toEqual([200, true])
    expect(await statesOf(body.id as string)).toEqual(['queued'])
  })

  it('UNDO-07 answers 409 undo_too_late after the window, and the mails leave', async () => {
    const recipient = someone()
    const { body } = await send({ recipient_list: [recipient], undo_seconds: 1 })
    await expect.poll(() => mailsTo(recipient).length, wait).toBe(1)
    expect(await call('POST', `messages/${body.id}/undo`)).toMatchObject({
      status: 409,
      body: { detail: 'The time to undo has passed; the mails leave.' },
    })
  })

  it('UNDO-08 stops all mails of a message to several recipients, or none', async () => {
    const recipients = people(3)
    const { body } = await send({ recipient_list: recipients, undo_seconds: 30 })
    const sendingSql = "state = 'sending', lease_owner = id_of, lease_token = id_of, leased_at = now()"
    await server.sql(
      `update deliveries set ${sendingSql} from gen_random_uuid() as id_of where message_id = $1 and recipient = $2`,
      [body.id, recipients[1]],
    )
    expect((await call('POST', `messages/${body.id}/undo`)).status).toBe(409)
    expect(await statesOf(body.id as string)).toEqual(['queued', 'sending', 'queued'])
    await server.sql(
      "update deliveries set state = 'queued', lease_owner = null, lease_token = null, leased_at = null where message_id = $1",
      [body.id],
    )
    expect((await call('POST', `messages/${body.id}/undo`)).body).toEqual({ cancelled: 3 })
    await makeDue(body.id as string)
    const other = someone()
    await send({ recipient_list: [other] })
    expect([mailsTo(other).length, ...recipients.map((one) => mailsTo(one).length)]).toEqual([1, 0, 0, 0])
  })
})

describe('a scheduled message', () => {
  it('leaves at its time and not before', async () => {
    const recipient = someone()
    const at = inSeconds(3)
    const { body } = await send({ recipient_list: [recipient], scheduled_at: at })
    expect(body.scheduled_at).toBe(at)
    await expect.poll(() => mailsTo(recipient).length, wait).toBe(1)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at))
  })

  it('SCHEDULING-02 reads a time without an offset in `timezone`, and in UTC where that is absent', async () => {
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    const inZone = await send({ scheduled_at: `${day}T09:00`, timezone: 'Asia/Tokyo' })
    const without = await send({ scheduled_at: `${day}T09:00` })
    expect(inZone.body.scheduled_at).toBe(`${day}T00:00:00.000Z`)
    expect(without.body.scheduled_at).toBe(`${day}T09:00:00.000Z`)
    const months = await server.sql(
      "select distinct to_char(month, 'YYYY-MM') as month from deliveries where message_id = any($1)",
      [[inZone.body.id, without.body.id]],
    )
    expect(months).toEqual([{ month: day.slice(0, 7) }])
  })

  it('makes room in the queue for a month that is far ahead', async () => {
    const { status, body } = await send({ scheduled_at: inSeconds(300 * 86_400) })
    expect([status, await statesOf(body.id as string)]).toEqual([200, ['queued']])
  })

  it('SCHEDULING-03 answers 422 for a time in the past or more than one year ahead', async () => {
    for (const [scheduled_at, msg] of [
      [inSeconds(-60), 'The time of sending has passed; choose a later time.'],
      [inSeconds(400 * 86_400), 'The time of sending is more than a year ahead; choose an earlier time.'],
      ['tomorrow', 'scheduled_at is no time; write it as 2027-03-01T09:00 or 2027-03-01T09:00:00Z'],
    ]) {
      expect(await send({ scheduled_at })).toMatchObject({
        status: 422,
        body: { detail: [{ loc: ['body', 'scheduled_at'], msg }] },
      })
    }
  })

  it('SCHEDULING-04 answers 422 for a local hour that the change of clocks skips, with a sentence that says so', async () => {
    const year = new Date().getUTCFullYear() + (new Date().getUTCMonth() > 1 ? 1 : 0)
    const march31 = new Date(Date.UTC(year, 2, 31))
    const sunday = 31 - march31.getUTCDay()
    const skipped = { scheduled_at: `${year}-03-${sunday}T02:30`, timezone: 'Europe/Berlin' }
    expect(await send(skipped)).toMatchObject({
      status: 422,
      body: { detail: [{ msg: expect.stringContaining('the clocks skip this hour') as string }] },
    })
    expect((await send({ ...skipped, timezone: 'UTC' })).status).toBe(200)
  })

  it('is listed with its time until it leaves, the next one first', async () => {
    const [first, second] = await Promise.all([
      send({ subject: 'Second', scheduled_at: inSeconds(7200) }),
      send({ subject: 'First', scheduled_at: inSeconds(3600) }),
    ])
    const listed = async () =>
      ((await call('GET', 'messages/scheduled')).body as { id: string; subject: string; recipients: number }[]).filter(
        ({ id }) => id === first.body.id || id === second.body.id,
      )
    expect(await listed()).toMatchObject([
      { subject: 'First', recipients: 1 },
      { subject: 'Second', recipients: 1 },
    ])
    await call('POST', `messages/${second.body.id}/cancel`)
    expect((await listed()).map(({ subject }) => subject)).toEqual(['Second'])
  })

  it('SCHEDULING-06 can be changed; the mail that leaves has the new text', async () => {
    const [before, after] = people(2) as [string, string]
    const { body } = await send({ recipient_list: [before], scheduled_at: inSeconds(3600), kind: 'bulk' })
    const path = `messages/scheduled/${body.id}`
    expect((await call('GET', path)).body).toMatchObject({
      content: '<p>Hello</p>',
      mode: 'html',
      context: {},
      kind: 'bulk',
    })
    const changed = await call('PATCH', `messages/${body.id}`, { content: '<p>New text</p>', recipient_list: [after] })
    expect(changed).toMatchObject({ status: 200, body: { content: '<p>New text</p>', recipient_list: [after] } })
    await makeDue(body.id as string)
    await expect.poll(() => mailsTo(after).length, wait).toBe(1)
    expect([rawTo(after)[0]?.includes('New text'), mailsTo(before).length]).toEqual([true, 0])
  })

  it('SCHEDULING-07 can be moved to another time, or cancelled, after which no mail leaves', async () => {
    const [moved, cancelled] = people(2) as [string, string]
    const one = await send({ recipient_list: [moved], scheduled_at: inSeconds(3600) })
    const other = await send({ recipient_list: [cancelled], scheduled_at: inSeconds(3600) })
    expect((await call('POST', `messages/${other.body.id}/cancel`)).body).toEqual({ cancelled: 1 })
    await makeDue(other.body.id as string)
    expect((await call('PATCH', `messages/${one.body.id}`, { scheduled_at: inSeconds(2) })).status).toBe(200)
    await expect.poll(() => mailsTo(moved).length, wait).toBe(1)
    expect(mailsTo(cancelled)).toEqual([])
  })

  it('SCHEDULING-08 answers 409 message_state to PATCH and cancel once it has left', async () => {
    const { body } = await send()
    const refused = {
      status: 409,
      body: { detail: 'The message has left or was cancelled; it cannot be changed any more.' },
    }
    expect(await call('PATCH', `messages/${body.id}`, { subject: 'New' })).toMatchObject(refused)
    expect(await call('POST', `messages/${body.id}/cancel`)).toMatchObject(refused)
  })
})

describe('header fields', () => {
  it('TEXTMODE-20 a mail carries the From name and Reply-To of the message, and where these are empty those of the mailbox', async () => {
    const [own, fromMailbox] = people(2) as [string, string]
    await server.sql("update email_configs set from_name = 'Studio', reply_to = 'desk@example.com' where id = $1", [
      mailbox.id,
    ])
    await send({ recipient_list: [own], from_name: 'Zoë "Z"', reply_to: 'zoe@example.com' })
    await send({ recipient_list: [fromMailbox] })
    await server.sql('update email_configs set from_name = null, reply_to = null where id = $1', [mailbox.id])
    expect(rawTo(own)[0]).toMatch(/^From: =\?UTF-8\?Q\?Zo=C3=AB_=22Z=22\?= <studio@example\.com>\r\n/)
    expect(rawTo(own)[0]).toContain('\r\nReply-To: zoe@example.com\r\n')
    expect(rawTo(fromMailbox)[0]).toMatch(/^From: "Studio" <studio@example\.com>\r\n/)
    expect(rawTo(fromMailbox)[0]).toContain('\r\nReply-To: desk@example.com\r\n')
  })

  it('TEXTMODE-21 a line break in `from_name` or `reply_to` answers 422, and nothing is sent', async () => {
    const countMessages = () => server.sql<{ count: number }>('select count(*)::int as count from messages')
    const before = await countMessages()
    const refusal = (field: string) => ({ status: 422, body: { detail: [{ loc: ['body', field] }] } })
    expect(await send({ from_name: 'A\r\nBcc: x@example.com' })).toMatchObject(refusal('from_name'))
    expect(await send({ reply_to: 'a@b.example\r\nBcc: x' })).toMatchObject(refusal('reply_to'))
    expect(await countMessages()).toEqual(before)
  })

  it('the preheader is hidden text at the start of the body', async () => {
    const recipient = someone()
    await send({
      recipient_list: [recipient],
      content: '<html><body><p>Text</p></body></html>',
      preheader: 'Two places for you',
    })
    expect(rawTo(recipient)[0]?.replaceAll('=\r\n', '')).toMatch(
      /<body>\s*<div style=3D"display:none;[^>]*>Two places for you/,
    )
  })
})

describe('cc and bcc', () => {
  it('BULKRULES-12 give everyone one message with the same Message-ID, To and Cc, and no mail shows a Bcc address', async () => {
    const [to, cc, bcc] = people(3) as [string, string, string]
    const { body } = await send({ recipient_list: [to], cc: [cc, to], bcc: [bcc] })
    expect(body.accepted).toBe(3)
    const mails = [to, cc, bcc].map((address) => rawTo(address)[0] ?? '')
    const headerOf = (mail: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(mail)?.[1]
    expect(new Set(mails.map((mail) => headerOf(mail, 'Message-ID'))).size).toBe(1)
    expect(mails.map((mail) => [headerOf(mail, 'To'), headerOf(mail, 'Cc')])).toEqual([
      [to, cc],
      [to, cc],
      [to, cc],
    ])
    expect(mails.some((mail) => mail.includes(bcc) || mail.includes('List-Unsubscribe'))).toBe(false)
    const { deliveries } = (await call('GET', `messages/${body.id}`)).body as { deliveries: { message_id: string }[] }
    expect(new Set(deliveries.map(({ message_id }) => message_id))).toEqual(
      new Set([headerOf(mails[0] ?? '', 'Message-ID')]),
    )
  })

  it('BULKRULES-13 answer 422 too_many_addresses for more than 50 addresses together', async () => {
    const mail = { recipient_list: people(30), cc: people(20) }
    expect((await send(mail)).status).toBe(200)
    expect((await send({ ...mail, bcc: [someone()] })).body.detail).toMatchObject([{ type: 'too_many_addresses' }])
  })
})

describe('kinds', () => {
  const sent = async (changes: object, count = 2) => {
    const recipients = people(count)
    const { status, body } = await send({ recipient_list: recipients, ...changes })
    await expect.poll(() => mailsTo(recipients.at(-1) ?? '').length, wait).toBe(1)
    return { status, body, mail: rawTo(recipients[0] ?? '')[0] ?? '' }
  }
  const footer = /Unsubscribe/

  it('BULKRULES-09 a call to two recipients without `kind` carries the unsubscribe headers and leaves the body as given', async () => {
    const { mail } = await sent({})
    expect(mail).toContain('\r\nList-Unsubscribe: <')
    expect(mail).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n')
    expect(mail.split('text/html')[1]).toContain('\r\n\r\n<p>Hello</p>\r\n')
    expect((await sent({}, 1)).mail).not.toContain('List-Unsubscribe')
  })

  it('BULKRULES-07 a bulk send without a postal address succeeds with the warning postal_address_missing', async () => {
    const { status, body } = await sent({ kind: 'bulk' })
    expect([status, body.warnings]).toMatchObject([200, [{ code: 'postal_address_missing' }]])
  })

  it('BULKRULES-10 A send call with kind bulk adds the footer to the body', async () => {
    await server.call('PATCH', '/workspace', {
      token: user.token,
      body: { postal_address: 'Main Street 1\n1010 Vienna' },
    })
    const { body, mail } = await sent({ kind: 'bulk' })
    expect(body.warnings).toBeUndefined()
    const html = mail.split('text/html')[1]?.replaceAll('=\r\n', '') ?? ''
    expect(html).toContain('Main Street 1<br>1010 Vienna')
    expect(html).toMatch(/<a href=3D"http[^"]*\/unsubscribe\/[^"]*">Unsubscribe<\/a>/)
    expect(mail).toContain('\r\nList-Unsubscribe: <')
  })

  it('BULKRULES-11 A send call with kind transactional or personal leaves the body as it was given', async () => {
    for (const kind of ['transactional', 'personal']) {
      const { mail } = await sent({ kind })
      expect(mail.split('text/html')[1]).toContain('\r\n\r\n<p>Hello</p>\r\n')
      expect(mail).not.toMatch(footer)
    }
  })

  it('a personal message has at most ten recipients', async () => {
    expect((await send({ recipient_list: people(11), kind: 'personal' })).body.detail).toMatchObject([
      { loc: ['body', 'kind'] },
    ])
    expect((await send({ recipient_list: people(10), kind: 'personal' })).status).toBe(200)
  })
})

describe('unknown fields', () => {
  it('BULKRULES-14 answer 422 and name the field and, for a name of other providers, ours', async () => {
    const names = {
      to: 'recipient_list',
      html: 'content',
      replyTo: 'reply_to',
      send_at: 'scheduled_at',
      fromName: 'from_name',
    }
    for (const [theirs, ours] of Object.entries(names)) {
      const { status, body } = await send({ [theirs]: 'x' })
      expect([theirs, status, body.detail]).toEqual([
        theirs,
        422,
        [
          {
            loc: ['body', theirs],
            msg: `${theirs} is not a field of this call; did you mean ${ours}?`,
            type: 'unknown_field',
          },
        ],
      ])
    }
    expect((await send({ wobble: 1 })).body.detail).toMatchObject([{ loc: ['body', 'wobble'], type: 'unknown_field' }])
  })
})

describe('a test', () => {
  it('CHECK-23 POST /email/send-test with eleven addresses answers 422, and through a paused mailbox it answers with mailbox_paused; no mail leaves.', async () => {
    const test = { config_id: mailbox.id, subject: 'Try', content: '<p>Try</p>' }
    const [eleven, one, last] = [people(11), someone(), someone()]
    expect((await call('POST', 'send-test', { ...test, to: eleven })).status).toBe(422)
    await server.sql(
      "update email_configs set status = 'paused', pause_reason = 'Wrong password.', paused_until = null where id = $1",
      [mailbox.id],
    )
    expect(await call('POST', 'send-test', { ...test, to: [one] })).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/^The mailbox \S+ is paused\. Wrong password\.$/) as string },
    })
    await server.sql(
      "update email_configs set status = 'active', pause_reason = null, paused_until = null where id = $1",
      [mailbox.id],
    )
    // What had been accepted would leave before this one.
    expect((await call('POST', 'send-test', { ...test, to: [last] })).status).toBe(200)
    await expect.poll(() => mailsTo(last).length, wait).toBe(1)
    expect([...eleven, one].flatMap(mailsTo)).toEqual([])
  })

  it('goes to up to ten addresses as a chosen recipient', async () => {
    const to = people(2)
    const test = {
      config_id: mailbox.id,
      to,
      subject: 'For {{name}}',
      content: '<p>{{name}}, {{email}}</p>',
      context: { name: 'All' },
    }
    const { status } = await call('POST', 'send-test', {
      ...test,
      as_recipient: { email: 'ada@example.org', context: { name: 'Ada' } },
    })
    expect(status).toBe(200)
    expect(rawTo(to[1] ?? '')[0]?.replaceAll('=\r\n', '')).toContain('<p>Ada, ada@example.org</p>')
    expect((await call('POST', 'send-test', { ...test, to: people(11) })).status).toBe(422)
  })
})
