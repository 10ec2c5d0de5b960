import { describe, expect, it } from 'vitest'
import { bounceSamples, dsn } from '../../../tests/support/bounces/bounce-samples.ts'
import { actionOf, type BounceAction, type BounceReason } from '../../../contract/inbox/bounce-reason.ts'
import { parseMail } from '../mime/parse-mail.ts'
import { readBounce } from './read-bounce.ts'
import { bounceSystems } from './systems.ts'

/** Every reason, with what follows from it. */
const actionByReason: Readonly<Record<BounceReason, BounceAction>> = {
  user_unknown: 'dead',
  host_unknown: 'dead',
  has_moved: 'dead',
  mailbox_suspended: 'dead',
  mailbox_disabled: 'dead',
  domain_not_accepting: 'dead',
  mailbox_full: 'waiting',
  system_full: 'waiting',
  expired: 'waiting',
  network_error: 'waiting',
  system_error: 'waiting',
  mailer_error: 'waiting',
  temporarily_unavailable: 'waiting',
  greylisted: 'waiting',
  recipient_rate_limited: 'waiting',
  on_hold: 'waiting',
  dns_error: 'waiting',
  tls_failed: 'waiting',
  message_too_large: 'mail',
  content_refused: 'mail',
  virus_detected: 'mail',
  attachment_refused: 'mail',
  syntax_error: 'mail',
  not_standard_conforming: 'mail',
  loop_detected: 'mail',
  spam_detected: 'sender',
  bad_reputation: 'sender',
  auth_failed: 'sender',
  blocked: 'sender',
  rate_limited: 'sender',
  too_many_connections: 'sender',
  policy_refused: 'sender',
  relaying_denied: 'sender',
  reverse_dns_missing: 'sender',
  undefined: 'waiting',
}

const read = (source: string) => readBounce(parseMail(Buffer.from(source)))

describe('bounces of mail systems', () => {
  it.each(bounceSamples)('$system: recipient, reason and action', ({ source, recipient, reason, action }) => {
    const [found, ...more] = read(source) ?? []
    expect(more).toEqual([])
    expect(found?.address).toBe(recipient)
    const { outcome } = found!
    expect({ ...outcome }).toMatchObject(
      action === 'delayed' ? { kind: 'delayed' } : { kind: 'bounced', reason, action },
    )
  })

  it('knows at least twenty systems and thirty-four reasons', () => {
    expect(bounceSystems.length).toBeGreaterThan(20)
    const reasons = Object.keys(actionByReason) as BounceReason[]
    expect(reasons.filter((reason) => reason !== 'undefined')).toHaveLength(34)
    expect(Object.fromEntries(reasons.map((reason) => [reason, actionOf(reason)]))).toEqual(actionByReason)
  })

  it('BOUNCES-16 a report whose text names an unknown user but whose status is of class 4 is no bounce', () => {
    const [found] = read(
      dsn(
        'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 4.3.0\nDiagnostic-Code: smtp; 451 user unknown',
      ),
    )!
    expect(found!.outcome.kind).toBe('delayed')
  })

  it('a permanent status beside words of class 4 never makes an address dead', () => {
    const [found] = read(
      dsn(
        'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 450 4.1.1 user unknown',
      ),
    )!
    expect(found!.outcome).toMatchObject({ kind: 'bounced', action: 'waiting' })
  })

  it('BOUNCES-10 a report with a status of class 2 is no failure', () => {
    const [found] = read(dsn('Final-Recipient: rfc822; ann@example.org\nAction: delivered\nStatus: 2.0.0'))!
    expect(found!.outcome).toEqual({ kind: 'delivered' })
  })

  it.each(['relayed', 'expanded', 'failed', 'none'])(
    'a status of class 2 is a delivery beside "Action: %s", and one of class 4 is none',
    (action) => {
      const report = (status: string) =>
        dsn(
          `Final-Recipient: rfc822; ann@example.org\nStatus: ${status}\nAction: ${action}`.replace(
            /\nAction: none$/,
            '',
          ),
        )
      expect(read(report('2.1.5'))!.map(({ outcome }) => outcome)).toEqual([{ kind: 'delivered' }])
      expect(read(report('4.1.5'))!.map(({ outcome }) => outcome.kind)).toEqual(['delayed'])
    },
  )

  it('BOUNCES-18 each recipient of one report has its own reason and action', () => {
    const found = read(
      dsn(
        'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 unknown user\n\n' +
          'Final-Recipient: rfc822; bob@example.org\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 mailbox full',
      ),
    )!
    expect(found.map(({ address, outcome }) => [address, outcome.kind === 'bounced' && outcome.action])).toEqual([
      ['ann@example.org', 'dead'],
      ['bob@example.org', 'waiting'],
    ])
  })

  const plain = (head: string, body: string) => read(`${head}\n\n${body}\n`.replaceAll('\n', '\r\n')) ?? []
  const actionsOf = (found: ReturnType<typeof plain>) =>
    found.map(({ address, outcome }) => [address, outcome.kind === 'bounced' ? outcome.action : outcome.kind])

  it('the words of one recipient in a text are not those of the next one', () => {
    const found = plain(
      'From: MAILER-DAEMON@mail.example.net\nSubject: Mail delivery failed: returning message to sender',
      'This message was created automatically by mail delivery software.\n\nThe following address\nfailed:\n\n' +
        '"ann@example.org":\nSMTP error from remote server after RCPT command:\n5.1.1 User unknown\n' +
        '"bob@example.org":\nSMTP error from remote server after RCPT command:\n5.2.2 Mailbox full\n\n' +
        '--- The header of the original message is following. ---\n\nFrom: studio@example.com\nTo: eve@example.org',
    )
    expect(actionsOf(found)).toEqual([
      ['ann@example.org', 'dead'],
      ['bob@example.org', 'waiting'],
    ])
  })

  it('a refusal in answer to MAIL FROM is of the sender, whatever domain it names', () => {
    const found = plain(
      'From: Mailer-Daemon@mx.example.net\nX-Failed-Recipients: ann@example.org\nSubject: Mail delivery failed',
      'This message was created automatically by mail delivery software.\n\n  ann@example.org\n' +
        '    SMTP error from remote mail server after MAIL FROM:<studio@example.com> SIZE=1024:\n' +
        '    550 5.1.2 No such domain example.com',
    )
    expect(actionsOf(found)).toEqual([['ann@example.org', 'sender']])
  })

  it('a file that Exim names as the recipient gives way to the address that it names', () => {
    const source = dsn('Final-Recipient: rfc822;/var/mail/ann\nAction: failed\nStatus: 5.0.0', {
      text: 'save to /var/mail/ann\n  mailbox is full: retry timeout exceeded',
    }).replace('To: studio', 'X-Failed-Recipients: ann@example.org\r\nTo: studio')
    expect(actionsOf(read(source)!)).toEqual([['ann@example.org', 'waiting']])
  })

  it('a diagnostic without a reason is completed by the words of the text', () => {
    const fields =
      'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.0.0\n' +
      'Diagnostic-Code: smtp; 550-Please see below'
    const text = 'ann@example.org\n550-Please see below\n550 not permitted to relay through this server'
    expect(actionsOf(read(dsn(fields, { text }))!)).toEqual([['ann@example.org', 'sender']])
  })

  it('an answer of several lines, of which a report has the first, is read to its end', () => {
    const fields =
      'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\n' +
      'Diagnostic-Code: SMTP; 550-This server has more to say'
    const answer = ['550-This server has more to say', '550-and says it in three lines:', '550 Sender verify failed']
    const transcript = (lines: readonly string[]) =>
      `<ann@example.org>\n    (reason: ${lines[0]})\n\n>>> DATA\n${lines.map((line) => `<<< ${line}`).join('\n')}\n` +
      '550 5.1.1 <ann@example.org>... User unknown'
    expect(actionsOf(read(dsn(fields, { text: transcript(answer) }))!)).toEqual([['ann@example.org', 'sender']])
    // The line of another code is the reporting system's own.
    const cut = transcript(answer.slice(0, 2)).replace('550 5.1.1', '554 5.0.0')
    expect(read(dsn(fields, { text: cut }))![0]!.words).toBe(answer.slice(0, 2).join(' '))
    expect(actionsOf(read(dsn(fields))!)).toEqual([['ann@example.org', 'dead']])
  })

  it('a server that could not verify the sender does not know the recipient', () => {
    const fields =
      'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\n' +
      'Diagnostic-Code: SMTP; 550-Verification failed for <studio@example.com>'
    expect(actionsOf(read(dsn(fields))!)).toEqual([['ann@example.org', 'sender']])
  })

  it('a notice that is labelled as a part with fields does not hide the fields', () => {
    const fields = 'Final-Recipient: rfc822; <ann@example.org>\nAction: failed\nStatus: 5.0.0'
    const source = dsn(fields, { text: 'It failed because\n\n<ann@example.org> has an inbox that is full' })
    const labelled = source.replace('text/plain; charset=utf-8', 'message/delivery-status;')
    expect(labelled).not.toBe(source)
    expect(actionsOf(read(labelled)!)).toEqual([['ann@example.org', 'waiting']])
  })

  it.each([
    ['Original message follows.', 'User mailbox exceeds allowed size: ann@example.org', 'waiting'],
    ['------- Returned Message --------', 'Unknown user: ann@example.org', 'dead'],
    ['   ----- Unsent message follows -----', '550 no such user here: ann@example.org', 'dead'],
  ])('addresses of the mail behind "%s" are no recipients', (marker, words, action) => {
    const found = plain(
      'From: "Postmaster" <postmaster@example.net>\nSubject: Undeliverable Mail',
      `${words}\n\n${marker}\n\nFrom: eve@example.com\nTo: list@example.com\nCc: <dan@example.com>`,
    )
    expect(actionsOf(found)).toEqual([['ann@example.org', action]])
  })

  it('a report that a filter put into a mail of its own is read', () => {
    const report = dsn('Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1')
    const found = plain(
      'From: postmaster@example.net\nContent-Type: multipart/mixed; boundary="outer"\nSubject: Delivery Status Notification',
      `--outer\nContent-Type: message/rfc822\n\n${report.replaceAll('\r', '')}\n--outer\n\nThis e-mail is confidential.\n--outer--`,
    )
    expect(actionsOf(found)).toEqual([['ann@example.org', 'dead']])
  })

  it('a notice of delay that says when the server will give up is no bounce', () => {
    const found = plain(
      'From: Mail Delivery System <Mailer-Daemon@mx.example.net>\nSubject: Warning: message delayed 24 hours',
      'The address to which the message has not yet been delivered is:\n\n  ann@example.org\n\n' +
        'Eventually the mail delivery software will give up, and the message will be returned to you.',
    )
    expect(actionsOf(found)).toEqual([['ann@example.org', 'delayed']])
  })

  it('a notice of delay stays one if it quotes a refusal of class 5', () => {
    const found = plain(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Delay)',
      'There was a temporary problem delivering your message to ann@example.org. The server will retry for 47 more ' +
        "hours. You'll be notified if the delivery fails permanently.\n\nThe response from the remote server was:\n" +
        '550 5.7.1 This message is likely suspicious due to the reputation of the sending domain.',
    )
    expect(actionsOf(found)).toEqual([['ann@example.org', 'delayed']])
  })

  it('words of the returned header are no reason, whatever a filter wrote there', () => {
    const fields = 'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.0.0'
    const text =
      'This message was created automatically by mail delivery software.\n\n' +
      'The following address failed:\n\n    ann@example.org:\n        no valid MX hosts found\n\n' +
      '--- The header of the original message is following. ---\n\nTo: ann@example.org\nX-Spam-Flag: NO'
    const [found] = read(dsn(fields, { text }))!
    expect(found!.outcome).toEqual({ kind: 'bounced', reason: 'host_unknown', action: 'dead' })
    expect(found!.words).not.toContain('Spam')
  })

  it('a status for a large message beside words of a full mailbox is a full mailbox', () => {
    const fields =
      'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.2.3\n' +
      "Diagnostic-Code: X-Postfix; maildir delivery failed: the user's maildir has overdrawn his diskspace quota"
    expect(actionsOf(read(dsn(fields))!)).toEqual([['ann@example.org', 'waiting']])
    const large = fields.replace(/X-Postfix.*/, 'smtp; 552 5.2.3 Message size exceeds the limit')
    expect(actionsOf(read(dsn(large))!)).toEqual([['ann@example.org', 'mail']])
  })

  it('a host that did not respond within the time makes no address dead', () => {
    const found = plain(
      'From: Postmaster@example.net\nSubject: Mail System Error - Returned Mail',
      'This message was undeliverable: the destination computer was not reachable within the allowed queue period.\n\n' +
        'The following recipients did not receive your message:\n\n     <ann@example.org>\n' +
        'This Message was undeliverable.',
    )
    expect(actionsOf(found)).toEqual([['ann@example.org', 'waiting']])
  })

  it.each([
    ['550 5.7.1 Message content rejected, UBE', 'sender'],
    ['554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help.) (BL)', 'sender'],
    ['501 5.5.4 HELO argument is invalid', 'sender'],
    ['553 5.7.2 All messages from 192.0.2.1 will be permanently deferred', 'sender'],
    ['550 Mail is rejected by recipients', 'sender'],
    ['550 5.2.0 6FcA Mail rejected. OFR_506 (in reply to end of DATA command)', 'mail'],
    ['550 Esta casilla ha expirado por falta de uso.', 'dead'],
    ['550 5.5.0 The recipient account is blocked', 'dead'],
    ['550 Archived recipient', 'dead'],
    ['550 Name service error for name=example.org: Malformed or unexpected name server reply', 'waiting'],
    ['550 5.3.5 rfc822; ann@example.org Internal System Error', 'waiting'],
  ])('%s', (words, action) => {
    const found = read(
      dsn(`Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; ${words}`),
    )!
    expect(actionsOf(found)).toEqual([['ann@example.org', action]])
  })
})
