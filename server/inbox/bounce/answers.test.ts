import { describe, expect, it } from 'vitest'
import { dsn } from '../../../tests/support/bounces/bounce-samples.ts'
import { parseMail } from '../mime/parse-mail.ts'
import { readBounce } from './read-bounce.ts'

const actionsOf = (source: string) =>
  (readBounce(parseMail(Buffer.from(source))) ?? []).map(({ address, outcome }) => [
    address,
    outcome.kind === 'bounced' ? outcome.action : outcome.kind,
  ])

const answered = (words: string, { address = 'ann@example.org', status = '5.0.0' } = {}) =>
  actionsOf(
    dsn(`Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${words}`),
  )[0]?.[1]

const plain = (head: string, body: string) => actionsOf(`${head}\n\n${body}\n`.replaceAll('\n', '\r\n'))

describe('the words of a mail server, by their meaning', () => {
  it.each([
    ['550 no mail box exists for that person', 'dead'],
    ['550 BAD_RECIPIENT see our help page', 'dead'],
    ['550 ann is not one of our users', 'dead'],
    ['550 We do not know this customer: user is not in our list', 'dead'],
    ['550 Ann has left the company', 'dead'],
    ['550 this box is now disabled for lack of use', 'dead'],
    ['550 mailbox never used, recipient was not found', 'dead'],
    ['550 the domain does not have an MX and does not accept mail', 'dead'],
    ['550 wrong recipient', 'dead'],
    ['550 that recipient is not in my users table', 'dead'],
  ])('an address that is gone: %s', (words, action) => {
    expect(answered(words)).toBe(action)
  })

  it.each([
    ['550 user not able to take any more mail'],
    ['552 the box of this user has too many messages in it'],
    ['550 recipient does not have enough free space'],
    ['550 account temporarily disabled'],
    ['550 recipient is not ready to take mail right now'],
    ['550 Host not found, try again'],
    ['The recipient was not reached'],
    ['554 gave up after 12 attempts'],
    ['550 cannot append to the file of the user: file too large, no quota'],
    ['550 user unknown for the moment: 451 4.3.0 directory busy'],
    ['5.2.0 could not open the file of the box: Permission denied'],
    ['550 5.1.1 you are greylisted here'],
    ['550 5.1.1 no such user known yet, retry later'],
  ])('in doubt the failure may pass: %s', (words) => {
    expect(answered(words)).toBe('waiting')
  })

  it.each([
    ['554 blocked by the spamfilter of this house'],
    ['550 message classified as bulk'],
    ['554 listed by URIBL'],
    ['550 client must have a valid reverse lookup'],
    ['553 authentication failed'],
    ['550 we are not a relay, local users only'],
    ['550 MAIL FROM does not match the header: mismatch'],
    ['550 the user refused your mail'],
    ['554 connection refused for abuse'],
    ['550 no access for your network'],
    ['550 we take nothing from dynamic IP ranges'],
    ['550 please confirm this mail server on our whitelist'],
    ['553 your domain is not among the allowed rcpthosts'],
    ['550 this client has no permit'],
    ['550 that sender is not in my allow list'],
    ['550 5.1.1 you are not subscribed to that group'],
    ['550-Verification failed while checking <studio@example.com> 550-Answer: 550 unknown user 550 sorry'],
  ])('a refusal of the sender: %s', (words) => {
    expect(answered(words)).toBe('sender')
  })

  it.each([
    ['552 MIME reject: invalid structure'],
    ['554 forwarding loop, count exceeded'],
    ['550 unacceptable attachment'],
    ['550 mail data refused by rule'],
    ['550 mails without a subject are turned away'],
  ])('a refusal of the mail: %s', (words) => {
    expect(answered(words)).toBe('mail')
  })

  it('a temporary reply code in a report without a status is a delay', () => {
    const read = (words: string) =>
      actionsOf(dsn(`Final-Recipient: rfc822; ann@example.org\nAction: failed\nDiagnostic-Code: smtp; ${words}`))
    expect(read('451 please come back in an hour')).toEqual([['ann@example.org', 'delayed']])
    expect(read('550 no such user')).toEqual([['ann@example.org', 'dead']])
  })

  it('words inside addresses and names of hosts are no reason', () => {
    expect(answered('550 <quota-full@example.org>: unknown user', { address: 'quota-full@example.org' })).toBe('dead')
    expect(answered('550 nospam@example.org... no such user', { address: 'nospam@example.org' })).toBe('dead')
    expect(answered('host spamfilter.example.org[192.0.2.4] said: 550 unknown user')).toBe('dead')
  })

  it('a word of the reporting system before the reply code is no reason', () => {
    const found = plain(
      'From: MAILER-DAEMON@mx.example.net\nSubject: failure notice',
      "Hi. This is the qmail-send program at mx.example.net.\nI'm afraid I wasn't able to deliver your message to " +
        'the following addresses.\n\n<ann@example.org>:\n192.0.2.9 does not like recipient.\n' +
        'Remote host said: 554 rejected by policy\nGiving up on 192.0.2.9.\n\n--- Below this line is a copy of the message.',
    )
    expect(found).toEqual([['ann@example.org', 'sender']])
  })

  it('numbers of versions and addresses of the Internet are no status', () => {
    expect(answered('550 unknown user (gateway 4.3.2.1)')).toBe('dead')
    const found = plain(
      'From: postmaster@example.net\nSubject: Undeliverable: [announce] release 2.0.12',
      'Your message\n  Subject: [announce] release 2.0.12\ndid not reach the following recipient(s):\n\n' +
        'ann@example.org on Thu, 11 Jul 2002 16:54:54\n    The recipient name is not recognized',
    )
    expect(found).toEqual([['ann@example.org', 'dead']])
  })

  it('the footer of a filter is no reason', () => {
    const fields = 'Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1'
    const text = `Delivery failed.\n\n${'_'.repeat(60)}\nThis mail was scanned for viruses.`
    expect(actionsOf(dsn(fields, { text }))).toEqual([['ann@example.org', 'dead']])
  })
})

describe('recipients in a text', () => {
  it('names of a provider without its domain', () => {
    const found = plain(
      'From: Mail Delivery Subsystem <MAILER-DAEMON@example.org>\nSubject: Mail Delivery Problem',
      'Your mail to the following recipients could not be delivered because they are not accepting mail from studio@example.com:\n\tann\n\tbob',
    )
    expect(found).toEqual([
      ['ann@example.org', 'sender'],
      ['bob@example.org', 'sender'],
    ])
  })

  it('names without a domain, each with its reason in brackets', () => {
    const found = plain(
      'From: Mailer-Daemon@example.org\nSubject: Message status - undeliverable',
      'Your message was undeliverable to the following:\n\n\tann (no such user)\n\tbob (mailbox is full)',
    )
    expect(found).toEqual([
      ['ann@example.org', 'dead'],
      ['bob@example.org', 'waiting'],
    ])
  })

  it('other lists below a colon hold no names', () => {
    const found = plain(
      'From: Mailer-Daemon@mx.example.net\nSubject: Undeliverable',
      'It failed for the following reasons:\n\n  lookup\n\n<ann@example.org>: 550 no such user',
    )
    expect(found).toEqual([['ann@example.org', 'dead']])
  })

  it('addresses in the header of the returned mail are none, whatever is above it', () => {
    const found = plain(
      'From: Mailer-Daemon@mx.example.net\nSubject: Mail delivery failure',
      "The following message, addressed to 'ann@example.org', failed because it has not been collected after 30 days\n\n" +
        '** what you sent **\nReceived: from mail.example.com\n for <eve@example.com>;\nTo:\n    list@example.com',
    )
    expect(found).toEqual([['ann@example.org', 'waiting']])
  })
})
