import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Bounce } from '../../../contract/inbox/bounce.ts'
import { bounceSamples } from '../../../tests/support/bounces/bounce-samples.ts'
import { startImapWorld, type ImapWorld, type ReadMailbox } from '../../../tests/support/inbox/imap-world.ts'
import { letter, reply, report, reportOf, type LeftMail } from '../../../tests/support/inbox/incoming.ts'

const dayMs = 86_400_000
const full = { status: '5.2.2', words: '552 5.2.2 mailbox full' }
const spam = { status: '5.7.1', words: '550 5.7.1 Message rejected as spam by Content Filtering.' }

let world: ImapWorld
let mailbox: ReadMailbox
let refused: string | null = null
beforeAll(async () => {
  world = await startImapWorld({}, { onRecipient: (to) => (to === refused ? '550 5.1.1 No such user' : undefined) })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  mailbox = await world.mailbox()
})

const append = (mail: Buffer, { folder = 'INBOX', agoDays = 0 } = {}) =>
  mailbox.imap.store.append(folder, mail, new Date(Date.now() - agoDays * dayMs))
const suppressed = async () => (await mailbox.suppressions()).map(({ email, reason }) => `${reason} ${email}`)
const call = async <T>(path: string) => (await world.server.call('GET', path, { token: mailbox.token })).body as T
const bouncesOf = ({ messageId }: LeftMail) =>
  call<Bounce[]>(`/email/messages/${/^<([^.]+)/.exec(messageId)![1]!}/bounces`)
/** Events of the workspace that were digested, oldest first: kind and reason. */
const events = async () => {
  const rows = await world.server.sql<{ kind: number; reason: string | null }>(
    `select e.kind, e.detail ->> 'reason' as reason from events e join email_configs c on c.workspace_id = e.workspace_id
     where c.id = $1 and e.kind in (5, 6, 15) order by e.at`,
    [mailbox.id],
  )
  const names: Record<number, string> = { 5: 'bounced', 6: 'delayed', 15: 'sender_refused' }
  return rows.map(({ kind, reason }) => `${names[kind]} ${reason}`)
}
const health = (address: string) =>
  world.server.sql<{ n: number; reason: string }>(
    `select h.soft_bounces as n, h.last_reason as reason from address_health h join email_configs c on c.workspace_id = h.workspace_id
     where c.id = $1 and h.address_hash = substr(sha256(convert_to($2, 'UTF8')), 1, 16)`,
    [mailbox.id, address],
  )
/** Waits until the product knows which mailbox wrote to the addresses. */
async function settled(...lefts: readonly LeftMail[]) {
  for (const { recipient } of lefts) {
    await expect
      .poll(() =>
        world.server.sql(
          `select from address_deliveries where address_hash = substr(sha256(convert_to($1, 'UTF8')), 1, 16)`,
          [recipient],
        ),
      )
      .toHaveLength(1)
  }
}
/** Sends `agoDays.length` mails to an address and lets each come back, so many days ago. */
async function comeBack(address: string, agoDays: readonly number[], given: object = full) {
  for (const [at, ago] of agoDays.entries()) {
    append(report(await mailbox.send(address, `Number ${at}`), given), { agoDays: ago })
  }
}

describe('an address that is dead', () => {
  it('BOUNCES-01 an RFC 3464 report with 5.1.1 for a sent mail suppresses the recipient as bounced, with the mail server’s words as detail', async () => {
    await mailbox.turnOn()
    const left = await mailbox.send()
    append(report(left))
    await expect.poll(suppressed).toEqual([`bounced ${left.recipient}`])
    const [entry] = await mailbox.suppressions()
    expect(entry!.detail).toContain('550 5.1.1 No such user here')
    expect(await bouncesOf(left)).toMatchObject([
      {
        kind: 'bounced',
        reason: 'user_unknown',
        action: 'dead',
        status: '5.1.1',
        is_later: true,
        recipient: left.recipient,
      },
    ])
  })

  it('BOUNCES-25 the same report delivered twice, or found in INBOX and in junk, counts once', async () => {
    const left = await mailbox.send()
    await mailbox.turnOn()
    const mail = report(left, full)
    append(mail)
    await mailbox.seen(1)
    append(mail, { folder: 'Junk' })
    append(mail)
    // A check reads all folders.
    await world.server.sql('update mailbox_readers set check_requested_at = now() where config_id = $1', [mailbox.id])
    await mailbox.seen(3)
    expect((await mailbox.reading()).counts).toMatchObject({ seen: 3, matched: 1, bounces: 1 })
    await mailbox.change({ reading: false })
    await expect.poll(() => mailbox.imap.openCount).toBe(0)
    expect(mailbox.imap.store.folders.get('INBOX')!.mails).toHaveLength(2)
    await expect.poll(events).toEqual(['bounced mailbox_full'])
    expect(await bouncesOf(left)).toHaveLength(1)
  })

  it('BOUNCES-26 a recipient refused at SMTP time and reported again by mail has one bounce', async () => {
    await mailbox.turnOn()
    refused = `gone.${mailbox.id.slice(-8)}@example.org`
    const body = { recipient_list: [refused], subject: 'Doors open', content: 'x' }
    await world.server.call('POST', `/api/send-mail/${mailbox.secretKey}`, { body })
    await expect.poll(suppressed).toEqual([`bounced ${refused}`])
    const [row] = await world.server.sql<{ messageId: string; id: number }>(
      'select message_id as "messageId", id from deliveries where recipient = $1',
      [refused],
    )
    append(
      report({ recipient: refused, subject: 'Doors open', messageId: '<none@example.com>' }, { isReturned: false }),
    )
    const other = await mailbox.send()
    append(report(other))
    await expect.poll(async () => (await suppressed()).length).toBe(2)
    expect((await events()).filter((event) => event === 'bounced user_unknown')).toHaveLength(2)
    const bounces = await call<Bounce[]>(`/email/messages/${row!.messageId}/bounces`)
    expect(bounces).toMatchObject([{ kind: 'bounced', reason: 'user_unknown', is_later: false }])
  })

  it('BOUNCES-27 a bounce that arrives after the switch for a mail that left before it is matched', async () => {
    const left = await mailbox.send()
    await mailbox.turnOn()
    append(report(left))
    await expect.poll(suppressed).toEqual([`bounced ${left.recipient}`])
  })

  it('BOUNCES-19 a report whose Final-Recipient is a forwarding target is put to the recipient that we wrote to', async () => {
    await mailbox.turnOn()
    const left = await mailbox.send()
    append(report(left, { recipient: 'ann@forwarded.example.net' }))
    await expect.poll(suppressed).toEqual([`bounced ${left.recipient}`])
  })

  it.each(['T-Online', 'qmail'])(
    'BOUNCES-21 a bounce in a language other than English, or from a system without status fields (%s), shows the right recipient and a reason',
    async (system) => {
      await mailbox.turnOn()
      const [bystander, left] = [await mailbox.send(), await mailbox.send()]
      await settled(bystander, left)
      const { source } = bounceSamples.find((sample) => sample.system === system)!
      append(Buffer.from(source.replaceAll('ann@example.org', left.recipient)))
      await expect.poll(() => bouncesOf(left)).toMatchObject([{ recipient: left.recipient, reason: 'user_unknown' }])
      expect(await bouncesOf(bystander)).toEqual([])
      await expect.poll(suppressed).toEqual([`bounced ${left.recipient}`])
    },
  )

  it('BOUNCES-20 a report without returned headers is matched by the recipient’s address, if that mailbox wrote to it within 14 days', async () => {
    await mailbox.turnOn()
    const left = await mailbox.send()
    const old = await mailbox.send()
    const acceptedAt = (address: string, ago: string) =>
      world.server.sql(
        `update address_deliveries set accepted_at = now() - $2::interval
         where address_hash = substr(sha256(convert_to($1, 'UTF8')), 1, 16) returning 1`,
        [address, ago],
      )
    await expect.poll(() => acceptedAt(left.recipient, '13 days')).toHaveLength(1)
    await expect.poll(() => acceptedAt(old.recipient, '15 days')).toHaveLength(1)
    append(report(old, { isReturned: false }))
    append(report(left, { isReturned: false }))
    await expect.poll(suppressed).toEqual([`bounced ${left.recipient}`])
    expect((await mailbox.reading()).counts).toMatchObject({ bounces: 1, unmatched_bounces: 1 })
    expect(await bouncesOf(old)).toEqual([])
  })

  it('BOUNCES-18 a report on several recipients gives each its own reason and action, in the product, too', async () => {
    await mailbox.turnOn()
    const [ann, bob] = [await mailbox.send(), await mailbox.send()]
    await settled(ann, bob)
    const block = (to: string, status: string, words: string) =>
      `Final-Recipient: rfc822; ${to}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${words}`
    append(
      reportOf(
        `${block(ann.recipient, '5.1.1', '550 unknown user')}\n\n${block(bob.recipient, '5.2.2', '552 mailbox full')}`,
        null,
      ),
    )
    await expect.poll(suppressed).toEqual([`bounced ${ann.recipient}`])
    await expect.poll(() => health(bob.recipient)).toEqual([{ n: 1, reason: 'mailbox_full' }])
    expect(await health(ann.recipient)).toEqual([])
    expect(await bouncesOf(ann)).toMatchObject([{ reason: 'user_unknown', action: 'dead' }])
    expect(await bouncesOf(bob)).toMatchObject([{ reason: 'mailbox_full', action: 'waiting', waiting_count: 1 }])
  })
})

describe('an address that waits', () => {
  it('BOUNCES-05 the fifth waiting bounce in a row, at least 7 days after the first, suppresses the address', async () => {
    await mailbox.turnOn()
    const address = `full.${mailbox.id.slice(-8)}@example.org`
    await comeBack(address, [8, 6, 4, 2])
    await expect.poll(() => health(address)).toEqual([{ n: 4, reason: 'mailbox_full' }])
    expect(await suppressed()).toEqual([])
    await comeBack(address, [0])
    await expect.poll(suppressed).toEqual([`bounced ${address}`])
    expect((await mailbox.suppressions())[0]!.detail).toContain('mailbox full')
  })

  it('BOUNCES-06 five waiting bounces within one day suppress nobody', async () => {
    await mailbox.turnOn()
    const address = `full.${mailbox.id.slice(-8)}@example.org`
    await comeBack(address, [0.5, 0.4, 0.3, 0.2, 0.1])
    await expect.poll(() => health(address)).toEqual([{ n: 5, reason: 'mailbox_full' }])
    expect(await suppressed()).toEqual([])
    expect((await mailbox.send(address)).messageId).not.toBe('')
  })

  it('five waiting bounces within six days suppress nobody', async () => {
    await mailbox.turnOn()
    const address = `full.${mailbox.id.slice(-8)}@example.org`
    await comeBack(address, [6.9, 5, 4, 3, 1])
    await expect.poll(() => health(address)).toEqual([{ n: 5, reason: 'mailbox_full' }])
    expect(await suppressed()).toEqual([])
  })

  it('BOUNCES-07 a mail accepted after the last bounce that stays without one for 72 h ends the row: the next waiting bounce counts as the first', async () => {
    await mailbox.turnOn()
    const address = `full.${mailbox.id.slice(-8)}@example.org`
    await comeBack(address, [13, 11, 9, 5])
    await expect.poll(() => health(address)).toEqual([{ n: 4, reason: 'mailbox_full' }])
    // One of the mails was accepted a day after that, four days ago.
    await world.server.sql(
      `update address_deliveries set accepted_at = now() - interval '4 days'
       where ctid = (select ctid from address_deliveries where address_hash = substr(sha256(convert_to($1, 'UTF8')), 1, 16) limit 1)`,
      [address],
    )
    await comeBack(address, [0])
    await expect.poll(() => health(address)).toEqual([{ n: 1, reason: 'mailbox_full' }])
    expect(await suppressed()).toEqual([])
  })

  it('a reply of the person ends the row of waiting bounces', async () => {
    await mailbox.turnOn()
    const address = `full.${mailbox.id.slice(-8)}@example.org`
    await comeBack(address, [8, 6, 4, 2])
    await expect.poll(() => health(address)).toEqual([{ n: 4, reason: 'mailbox_full' }])
    append(reply(await mailbox.send(address, 'Answer me')), { agoDays: 1 })
    await expect.poll(() => health(address)).toEqual([])
    await comeBack(address, [0])
    await expect.poll(() => health(address)).toEqual([{ n: 1, reason: 'mailbox_full' }])
    expect(await suppressed()).toEqual([])
  })

  it('BOUNCES-09 a report with action delayed or relayed, or a status of class 4, is shown as delayed, not as a bounce', async () => {
    await mailbox.turnOn()
    const given = [
      { action: 'delayed', status: '4.4.1', words: '451 4.4.1 try later' },
      { action: 'relayed', status: '4.0.0', words: '' },
      { action: 'failed', status: '4.4.7', words: '451 4.4.7 expired' },
    ]
    const lefts: LeftMail[] = []
    for (const one of given) {
      const left = await mailbox.send()
      lefts.push(left)
      append(report(left, one))
    }
    await expect
      .poll(async () => (await events()).map((event) => event.split(' ')[0]))
      .toEqual(['delayed', 'delayed', 'delayed'])
    for (const left of lefts) expect(await bouncesOf(left)).toMatchObject([{ kind: 'delayed' }])
    expect(await suppressed()).toEqual([])
    for (const { recipient } of lefts) expect(await health(recipient)).toEqual([])
  })

  it('BOUNCES-17 a bounce whose reason cannot be told counts as waiting and never suppresses by itself', async () => {
    await mailbox.turnOn()
    const address = `odd.${mailbox.id.slice(-8)}@example.org`
    await comeBack(address, [9, 7, 5, 3, 1, 0], { status: '5.0.0', words: 'The gate is closed' })
    await expect.poll(() => health(address)).toEqual([{ n: 6, reason: 'undefined' }])
    expect(await suppressed()).toEqual([])
    expect(new Set(await events())).toEqual(new Set(['bounced undefined']))
  })
})

describe('a mail or a sender that is refused', () => {
  it('BOUNCES-11 a bounce for too large a message or refused content is shown on the delivery, and the next mail to that address leaves', async () => {
    await mailbox.turnOn()
    const large = await mailbox.send()
    const content = await mailbox.send()
    append(report(large, { status: '5.3.4', words: '552 5.3.4 Message size exceeds fixed limit' }))
    append(report(content, { status: '5.6.0', words: '554 5.6.0 Message content rejected' }))
    await expect.poll(async () => (await events()).length).toBe(2)
    expect(await bouncesOf(large)).toMatchObject([{ kind: 'bounced', reason: 'message_too_large', action: 'mail' }])
    expect(await bouncesOf(content)).toMatchObject([{ kind: 'bounced', action: 'mail' }])
    for (const { recipient } of [large, content]) {
      expect(await health(recipient)).toEqual([])
      expect((await mailbox.send(recipient, 'Once more')).messageId).not.toBe('')
    }
    expect(await suppressed()).toEqual([])
  })

  const refusals = async (domains: readonly string[]) => {
    for (const [at, domain] of domains.entries())
      append(report(await mailbox.send(`p${at}.${mailbox.id.slice(-6)}@${domain}`), spam))
    await expect
      .poll(async () => (await events()).filter((event) => event.startsWith('sender_refused')).length)
      .toBe(domains.length)
  }
  const config = async () =>
    (await call<{ id: string; status: string; pause_reason: string | null }[]>('/email/configs')).find(
      ({ id }) => id === mailbox.id,
    )!

  it('BOUNCES-12 BOUNCES-14 five refusals of the sender from three domains within an hour pause the mailbox, and its owner is told what to do; a refusal of the sender suppresses no recipient and counts against none', async () => {
    await mailbox.turnOn()
    await refusals(['a.example', 'b.example', 'c.example', 'a.example', 'b.example'])
    await expect.poll(async () => (await config()).status).toBe('paused')
    expect((await config()).pause_reason).toMatch(/check SPF, DKIM and DMARC of its domain, then resume it/)
    expect(await suppressed()).toEqual([])
    expect(
      await world.server.sql(
        'select from address_health h join email_configs c on c.workspace_id = h.workspace_id where c.id = $1',
        [mailbox.id],
      ),
    ).toEqual([])
  })

  it('BOUNCES-13 four such refusals, or five from two domains, do not pause the mailbox', async () => {
    await mailbox.turnOn()
    await refusals(['a.example', 'b.example', 'c.example', 'a.example'])
    expect((await config()).status).toBe('active')
    mailbox = await world.mailbox()
    await mailbox.turnOn()
    await refusals(['a.example', 'b.example', 'a.example', 'b.example', 'a.example'])
    expect((await config()).status).toBe('active')
  })
})

describe('a report that proves nothing', () => {
  it('BOUNCES-10 a report with a status of class 2 changes nothing for the recipient, and one of class 4 with “user unknown” suppresses nobody', async () => {
    await mailbox.turnOn()
    const [taken, soft, dead] = [await mailbox.send(), await mailbox.send(), await mailbox.send()]
    append(report(taken, { action: 'delivered', status: '2.0.0', words: '250 2.0.0 OK' }))
    append(report(soft, { status: '4.2.1', words: '450 4.2.1 user unknown' }))
    append(report(dead))
    await expect.poll(suppressed).toEqual([`bounced ${dead.recipient}`])
    expect(await bouncesOf(taken)).toEqual([])
    expect(await bouncesOf(soft)).toMatchObject([{ kind: 'delayed' }])
  })

  it('BOUNCES-22 a person’s reply that quotes "550 user unknown" is a reply, not a bounce', async () => {
    await mailbox.turnOn()
    const left = await mailbox.send()
    append(reply(left, 'I got this from your server:\n> 550 5.1.1 user unknown\n> Undelivered Mail Returned to Sender'))
    await expect.poll(async () => (await mailbox.replies()).map(({ kind }) => kind)).toEqual(['reply'])
    expect(await bouncesOf(left)).toEqual([])
    expect(await suppressed()).toEqual([])
  })

  it('BOUNCES-23 a report with a guessed neighbouring delivery id and no valid code in its Message-ID changes nothing', async () => {
    await mailbox.turnOn()
    const [own, victim] = [await mailbox.send(), await mailbox.send()]
    const [, message = '', delivery = '', code = ''] = /^<([^.]+)\.(\d+)\.([0-9a-f]{16})@/.exec(victim.messageId)!
    const ownCode = /\.([0-9a-f]{16})@/.exec(own.messageId)![1]!
    expect(code).not.toBe(ownCode)
    for (const forged of [`<${message}.${delivery}.${ownCode}@example.com>`, `<${message}.${delivery}@example.com>`]) {
      append(report({ ...victim, messageId: forged }, { recipient: 'stranger@example.net' }))
    }
    append(report(own))
    await expect.poll(suppressed).toEqual([`bounced ${own.recipient}`])
    expect(await bouncesOf(victim)).toEqual([])
    expect((await mailbox.reading()).counts.unmatched_bounces).toBe(2)
  })

  it('BOUNCES-24 a bounce that is matched by address alone, without a pass of SPF or DKIM and without the null return path, is shown as unverified and suppresses nobody', async () => {
    await mailbox.turnOn()
    const [forged, proved] = [await mailbox.send(), await mailbox.send()]
    await settled(forged, proved)
    const of = (left: LeftMail, path: string) =>
      Buffer.from(report(left, { isReturned: false }).toString('latin1').replace('Return-Path: <>', path), 'latin1')
    append(of(forged, 'Return-Path: <attacker@example.net>'))
    append(
      of(
        proved,
        'Return-Path: <mx@example.org>\r\nAuthentication-Results: mx.example.com; dkim=pass header.d=example.org',
      ),
    )
    await expect.poll(suppressed).toEqual([`bounced ${proved.recipient}`])
    expect(await bouncesOf(forged)).toMatchObject([{ is_verified: false, reason: 'user_unknown', suppression: null }])
    expect(await events()).toEqual(['bounced user_unknown'])
    expect((await mailbox.replies('?view=unverified')).map(({ kind }) => kind)).toEqual(['bounce'])
  })

  it('a mail that only looks like a report is no bounce of anybody', async () => {
    await mailbox.turnOn()
    append(
      letter(
        'someone@example.net',
        'Undelivered Mail Returned to Sender',
        'nobody@example.net is unknown',
        'Return-Path: <>\n',
      ),
    )
    await mailbox.seen(1)
    expect(await events()).toEqual([])
  })
})

it('BOUNCES-31 a segment "bounced" finds contacts whose bounce arrived by mail', async () => {
  await mailbox.turnOn()
  const left = await mailbox.send()
  const { token } = mailbox
  const added = await world.server.call('POST', '/email/contacts', { token, body: { email: left.recipient } })
  expect([added.status, added.text]).toEqual([201, expect.anything()])
  const rule = { field: 'status', op: 'is', value: 'bounced' }
  const made = await world.server.call('POST', '/email/segments', { token, body: { name: 'Bounced', rule } })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  const { id } = made.body as { id: string }
  const found = async () =>
    (await call<{ email: string }[]>(`/email/contacts?segment_id=${id}`)).map(({ email }) => email)
  expect(await found()).toEqual([])
  append(report(left))
  await expect.poll(found).toEqual([left.recipient])
})
