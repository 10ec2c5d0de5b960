import { describe, expect, it } from 'vitest'
import { classifyHeaders } from './classify.ts'
import { MailHeaders } from './mime/headers.ts'
import { parseMail } from './mime/parse-mail.ts'

const candidateOf = (head: string) =>
  classifyHeaders(new MailHeaders(head), { role: 'inbox', ownAddresses: new Set(['studio@example.com']) })

describe('the header of a bounce', () => {
  it.each([
    ['a report without its type', 'From: Mail@mx.example.net\nContent-Type: multipart/report; boundary="b"'],
    ['a sender without an address', 'From: mailer-daemon\nAuto-Submitted: auto-replied\nSubject: There was an error'],
    ['a name of a mail system', 'From: "Mail Delivery Subsystem" <poostmaster@example.net>\nSubject: Returned mail'],
    [
      'a return path of a mail system',
      'Return-Path: <MAILER-DAEMON@mx.example.net>\nFrom: scan@example.net\nSubject: Mail',
    ],
    ['a report that a mailing list passed on', 'List-Id: <talk.example.org>\nFrom: MAILER-DAEMON@mx.example.net'],
    ['the empty sender', 'From: "Jet mail" <>\nSubject: Mail Error'],
    ['a gateway without the null return path', 'From: gateway5@example.net\nSubject: Returned Mail - Error'],
    ['a subject of a machine', 'From: no-reply@example.net\nSubject: =?utf-8?B?44Oh44O844Or44Ko44Op44O86YCa55+l?='],
  ])('%s', (_name, head) => {
    expect(candidateOf(head)).toBe('bounce')
  })

  it.each([
    ['a person whose subject names a failure', 'From: ann@example.org\nSubject: Re: Mail delivery failed', 'answer'],
    [
      'a person who answers our mail under such a subject',
      'In-Reply-To: <a@b>\nFrom: ann@example.org\nSubject: Undeliverable for now',
      'answer',
    ],
    ['a mail of a mailing list', 'List-Id: <talk.example.org>\nFrom: ann@example.org\nSubject: Hello', 'none'],
    ['an automatic mail of a shop', 'From: no-reply@example.net\nSubject: Your order', 'answer'],
    [
      'a receipt of reading',
      'From: ann@example.org\nContent-Type: multipart/report; report-type=disposition-notification; boundary="b"',
      'answer',
    ],
  ])('is not that of %s', (_name, head, candidate) => {
    expect(candidateOf(head)).toBe(candidate)
  })

  it('a content type whose semicolon is missing is read', () => {
    const { parts } = parseMail(Buffer.from('Content-Type: text/plain\r\n   charset="utf-8"\r\n\r\nUser unknown'))
    expect(parts).toMatchObject([{ type: 'text/plain', text: 'User unknown' }])
  })
})
