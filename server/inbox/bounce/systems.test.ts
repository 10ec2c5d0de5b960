import { describe, expect, it } from 'vitest'
import { parseMail } from '../mime/parse-mail.ts'
import { readBounce } from './read-bounce.ts'

/** The recipients of a mail that only its words attribute to a system. */
const recipientsIn = (text: string, type = 'text/plain') =>
  (
    readBounce(parseMail(Buffer.from(`From: post@example.net\nSubject: Mail\nContent-Type: ${type}\n\n${text}\n`))) ??
    []
  ).map(({ address }) => address)
const [ann, bob] = ['ann@example.org', 'bob@example.org']
const blanks = (count: number) => ' '.repeat(count)
const dashes = (count: number) => '-'.repeat(count)
const fill = (chars: number) => 'x'.repeat(chars)

/** Words by which a system is known. */
const words = {
  qmail: 'This is the qmail-send program.',
  Exim: 'This message was created automatically by mail delivery software.',
  Gmail: 'Address not found.',
  Exchange: 'Generating server: mx.example.org.',
  Sendmail: 'The original message was received at noon.',
  Yahoo: 'Sorry, we were unable to deliver your message to the following address.',
  Domino: 'Lotus Domino.',
  OpenSMTPD: 'This is the MAILER-DAEMON, please DO NOT REPLY.',
  MDaemon: 'MDaemon.',
  '1&1': 'Kundenserver.de.',
  'T-Online': 't-online.de.',
  'Mail.ru': 'Mail.ru.',
  Yandex: 'Yandex.',
  'Amazon SES': 'AmazonSES.',
  MailEnable: 'MailEnable.',
} as const

type Known = keyof typeof words

describe('the recipient of a mail system', () => {
  it('has up to 64 characters before the @', () => {
    const around = (chars: number) => recipientsIn(`${words.qmail}\n<${fill(chars)}@example.org>:\n<${bob}>:`)
    expect([around(64), around(65)]).toEqual([[`${fill(64)}@example.org`, bob], [bob]])
  })

  it.each<[Known, string, string, string]>([
    ['Exim', 'two blanks', `${blanks(2)}${ann} no`, `${blanks(1)}${ann} no`],
    ['Gmail', 'two blanks', `${blanks(2)}${ann} no`, `${blanks(1)}${ann} no`],
    ['Gmail', 'eight blanks', `${blanks(8)}${ann}`, `${blanks(9)}${ann}`],
    ['Exchange', 'eight blanks', `${blanks(8)}${ann}`, `${blanks(9)}${ann}`],
    ['Sendmail', 'eight blanks', `${blanks(8)}<${ann}>`, `${blanks(9)}<${ann}>`],
    ['Domino', '20 blanks', `was not delivered to:${blanks(20)}${ann}`, `was not delivered to:${blanks(21)}${ann}`],
    ['Domino', 'eight blanks', `${blanks(8)}${ann}`, `${blanks(9)}${ann}`],
    ['OpenSMTPD', 'eight blanks', `${blanks(8)}${ann}: no`, `${blanks(9)}${ann}: no`],
    ['MDaemon', 'ten blanks', `Failed address:${blanks(10)}${ann}`, `Failed address:${blanks(11)}${ann}`],
    ['1&1', 'eight blanks', `${blanks(8)}${ann}`, `${blanks(9)}${ann}`],
    ['Mail.ru', 'eight blanks', `${blanks(8)}${ann}`, `${blanks(9)}${ann}`],
    ['Yandex', 'eight blanks', `${blanks(8)}${ann}:`, `${blanks(9)}${ann}:`],
    ['Amazon SES', 'eight blanks', `${blanks(8)}${ann}`, `${blanks(9)}${ann}`],

    ['MailEnable', 'four blanks', `Recipient:${blanks(4)}${ann}`, `Recipient:${blanks(5)}${ann}`],
  ])('%s: behind %s', (system, _name, line, other) => {
    // Without a recipient in the system's style, the first address of the mail counts.
    const around = (text: string) => recipientsIn(`${words[system]} Ask ${bob} for help.\n${text}\n`)
    expect([around(line), around(other)]).toEqual([[ann], [bob]])
  })

  it.each([
    ['a colon', `${blanks(8)}:`, `${blanks(9)}:`],
    ['the end of its line', `:${blanks(8)}`, `:${blanks(9)}`],
  ])('is before %s by up to eight blanks', (_name, end, other) => {
    // A part that has another type keeps the blanks at the end of its lines.
    const around = (text: string) =>
      recipientsIn(`${words['Amazon SES']} Ask ${bob} for help.\n${ann}${text}\n.`, 'message/delivery-status')
    expect([around(end), around(other)]).toEqual([[ann], [bob]])
  })

  it.each<[Known, string, string]>([
    ['Exim', `${dashes(3)} This is a copy of the message`, `${dashes(2)} This is a copy of the message`],
    ['Gmail', `${dashes(3)} Original message ${dashes(3)}`, `${dashes(2)} Original message ${dashes(3)}`],
    ['Gmail', `${dashes(3)} Original message ${dashes(3)}`, `${dashes(3)} Original message ${dashes(2)}`],
    ['Sendmail', `${dashes(3)} Message header follows`, `${dashes(2)} Message header follows`],
    ['Yahoo', `${dashes(3)} Original message`, `${dashes(2)} Original message`],
    [
      'OpenSMTPD',
      `${blanks(4)}Below is a copy of the original message`,
      `${blanks(3)}Below is a copy of the original message`,
    ],
    ['1&1', `${dashes(3)} Eine Kopie`, `${dashes(2)} Eine Kopie`],
    ['T-Online', `${dashes(3)} Original`, `${dashes(2)} Original`],
  ])('%s: above the returned mail, which begins at "%s"', (system, line, other) => {
    const styles = (address: string) => `  ${address}: no\n<${address}>:\n`
    const around = (marker: string) => recipientsIn(`${words[system]}\n${styles(ann)}\n${marker}\n${styles(bob)}`)
    expect([around(line), around(other)]).toEqual([[ann], [ann, bob]])
  })

  it.each([
    ['Microsoft 365', 200, (apart: string) => `Your message to ${apart}couldn't be delivered`],
    ['Domino', 40, (apart: string) => `Your message${apart}\n Subject: was not delivered to`],
    ['Domino', 300, (apart: string) => `Your message\n Subject:${apart}was not delivered to`],
    ['Courier', 80, (apart: string) => `This is a delivery status notification from ${apart}running the Courier`],
    ['OpenSMTPD', 100, (apart: string) => `Mailer-Daemon at ${apart}OpenSMTPD`],
  ] as const)('%s: known by words that are up to %s characters apart', (_system, chars, text) => {
    // Only in a mail of a system that is not known, any address counts.
    const around = (apart: number) => recipientsIn(`${text(fill(apart))}\n\nsee <${ann}>, or (${bob})`)
    expect([around(chars), around(chars + 1)]).toEqual([[ann], [ann, bob]])
  })
})
