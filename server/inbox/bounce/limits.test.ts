import { describe, expect, it } from 'vitest'
import { dsn } from '../../../tests/support/bounces/bounce-samples.ts'
import { many } from '../../../tests/support/inbox/many.ts'
import { parseMail } from '../mime/parse-mail.ts'
import { readBounce } from './read-bounce.ts'
import { findStatus, isTemporaryText, reasonOf } from './reason.ts'

const read = (source: string) => readBounce(parseMail(Buffer.from(source.replaceAll(/\r?\n/g, '\r\n'))))
const ann = 'ann@example.org'
const failed = (fields = '') => `Final-Recipient: rfc822; ${ann}\nAction: failed\nStatus: 5.1.1${fields}`
/** A bounce without fields. */
const plain = (text: string, from = 'postmaster@example.net') =>
  read(`From: ${from}\nSubject: Undeliverable\n\n${text}\n`) ?? []
const addressesOf = (text: string, from?: string) => plain(text, from).map(({ address }) => address)

describe('a report with fields', () => {
  it('names up to 100 recipients', () => {
    const report = (count: number) =>
      dsn(many(count, (no) => `Final-Recipient: rfc822; r${no + 1}@example.org\nAction: failed\nStatus: 5.1.1`, '\n\n'))
    expect([99, 100, 101].map((count) => read(report(count))?.length)).toEqual([99, 100, 100])
    expect(read(report(100))?.at(-1)?.address).toBe('r100@example.org')
  })

  it('has a status of numbers of three digits, a type of 20 characters and addresses of 64 and 255', () => {
    const one = (fields: string) => read(dsn(`Action: failed\n${fields}`))?.[0]
    expect(one('Status: 5.123.123')?.status).toBe('5.123.123')
    expect(one('Status: 5.1234.1')?.status).toBe('')
    expect(one('Status: 5.1.1234')?.status).toBe('5.1.123')
    const serverOf = (type: number) => one(`Status: 5.1.1\nRemote-MTA: ${'t'.repeat(type)}; mx.example.org`)?.server
    expect(serverOf(20)).toBe('mx.example.org')
    expect(serverOf(21)).toBe(`${'t'.repeat(21)}; mx.example.org`)
    const addressOf = (local: number, domain: number) =>
      one(`Status: 5.1.1\nFinal-Recipient: rfc822; ${'a'.repeat(local)}@${'b'.repeat(domain)}`)?.address
    expect(addressOf(64, 255)).toBe(`${'a'.repeat(64)}@${'b'.repeat(255)}`)
    expect(addressOf(65, 256)).toBe(`${'a'.repeat(64)}@${'b'.repeat(255)}`)
  })

  it('has words of 1,000 characters', () => {
    const words = (chars: number) =>
      read(dsn(failed(`\nDiagnostic-Code: smtp; ${'550 5.1.1 user unknown '.padEnd(chars, 'x')}`)))?.[0]?.words
    expect(words(1000)).toBe('550 5.1.1 user unknown '.padEnd(1000, 'x'))
    expect(words(1001)).toBe('550 5.1.1 user unknown '.padEnd(1000, 'x'))
  })

  it('has the words of an answer of up to 20 lines, which the transcript indents by up to 20 blanks', () => {
    const answer = (lines: number) =>
      [...Array(lines).keys()].map((at) => `550${at + 1 < lines ? '-' : ' '}line ${at + 1}`)
    const words = (lines: number, indent = 0) =>
      read(
        dsn(failed('\nDiagnostic-Code: smtp; 550-line 1'), {
          text: answer(lines)
            .map((line) => `${' '.repeat(indent)}<<< ${line}`)
            .join('\n'),
        }),
      )?.[0]?.words
    expect(words(20)).toBe(answer(20).join(' '))
    expect(words(21)).toBe(answer(21).slice(0, 20).join(' '))
    expect([words(2, 20), words(2, 21)]).toEqual(['550-line 1 550 line 2', '550-line 1'])
  })
})

describe('the words of a report without a diagnostic', () => {
  /** Of a report that names a recipient, or none. */
  const wordsOf = (text: string, recipient?: string) =>
    read(
      dsn(`${recipient === undefined ? '' : `Final-Recipient: rfc822; ${recipient}\n`}Action: failed`, { text }),
    )?.[0]?.words
  const lines = (count: number, code = '') => many(count, (no) => `${code}line ${no + 1}`)
  const inOne = (count: number, code = '') => lines(count, code).replaceAll('\n', ' ')

  it('are its first six lines with a code, or else its first twelve lines', () => {
    expect([6, 7].map((count) => wordsOf(lines(count, '550 ')))).toEqual([inOne(6, '550 '), inOne(6, '550 ')])
    expect([12, 13].map((count) => wordsOf(lines(count)))).toEqual([inOne(12), inOne(12)])
  })

  it('are 14 lines from the recipient’s, even if the next recipient is further away', () => {
    const from = (count: number) => `${ann}\n550 no\n${many(count - 2, (no) => `line ${no + 3}`)}`
    const whole = from(14).replaceAll('\n', ' ')
    expect([14, 15].map((count) => wordsOf(from(count), ann))).toEqual([whole, whole])
    const first = (count: number) => plain(`${from(count)}\nbob@example.org\n550 no`)[0]?.words
    expect([14, 15].map((count) => first(count))).toEqual([whole, whole])
  })

  it('are the recipient’s line and four others with a code where it has none', () => {
    const above = (count: number) => wordsOf(`${lines(count, '550 ')}\n\n${ann}`, ann)
    expect([4, 5].map((count) => above(count))).toEqual([`${ann} ${inOne(4, '550 ')}`, `${ann} ${inOne(4, '550 ')}`])
  })

  it('have a status of numbers of three digits', () => {
    const around = (status: string) => wordsOf(`Sorry.\n${status} no\nBye.`)
    expect(around('5.123.123')).toBe('5.123.123 no')
    expect(around('5.1234.1')).toBe('Sorry. 5.1234.1 no Bye.')
    expect(around('5.1.1234')).toBe('Sorry. 5.1.1234 no Bye.')
  })
})

describe('a bounce without fields', () => {
  it('is read up to 16,000 characters', () => {
    const endsAt = (chars: number) => `${'x'.repeat(99)}\n`.repeat(160).slice(0, chars - ann.length - 1) + `\n${ann}`
    expect([16_000, 16_001].map((chars) => addressesOf(endsAt(chars)))).toEqual([[ann], ['ann@example.or']])
  })

  it('names up to 100 recipients', () => {
    const counts = [99, 100, 101].map((count) => addressesOf(many(count, (no) => `<r${no + 1}@example.org>`)).length)
    expect(counts).toEqual([99, 100, 100])
  })

  it('has addresses with domains of 253 characters, wherever they are', () => {
    const [whole, longer] = [`ann@${'b'.repeat(253)}`, `ann@${'b'.repeat(254)}`]
    for (const before of ['Lost ', 'Lost:'])
      expect([whole, longer].map((address) => addressesOf(`${before}${address}`))).toEqual([[whole], [whole]])
  })

  it('is of a system that its first 4,000 characters name', () => {
    const named = (chars: number) =>
      addressesOf(`<${ann}>: no such user\nAsk bob@example.org about it\n`.padEnd(chars - 6, '-') + 'zimbra')
    // Any address counts where the system is not known.
    expect([4000, 4001].map((chars) => named(chars))).toEqual([[ann], [ann, 'bob@example.org']])
  })

  it.each([
    ['four tabs', '\t\t\t\tOriginal message follows', '\t\t\t\t\tOriginal message follows'],
    ['20 dashes', `${'-'.repeat(20)} Returned message`, `${'-'.repeat(21)} Returned message`],
  ])('ends at the returned mail, whose marker is behind up to %s', (_name, marker, tooFar) => {
    const around = (line: string) => addressesOf(`Unknown user: ${ann}\n\n${line}\n\nCc: <bob@example.org>`)
    expect([around(marker), around(tooFar)]).toEqual([[ann], [ann, 'bob@example.org']])
  })

  it('has a footer below a line of 20 characters', () => {
    const actionAbove = (chars: number) => {
      const outcome = read(dsn(failed(), { text: `It failed.\n\n${'_'.repeat(chars)}\nScanned for viruses.` }))?.[0]
        ?.outcome
      return outcome?.kind === 'bounced' && outcome.action
    }
    expect([actionAbove(20), actionAbove(19)]).toEqual(['dead', 'mail'])
  })
})

describe('names without a domain', () => {
  const named = (lines: string, between = '') =>
    plain(`To the following recipients${between}:\n${lines}`, 'MAILER-DAEMON@example.org').map(({ address, words }) => [
      address?.replace('@example.org', ''),
      words,
    ])

  it('are below a line of 200 characters behind "recipients"', () => {
    expect([200, 201].map((chars) => named('\tann', ' '.padEnd(chars, 'x')).length)).toEqual([1, 0])
  })

  it('are indented by up to 8 blanks, and have 2 to 64 characters', () => {
    expect([8, 9].map((count) => named(`${' '.repeat(count)}ann`).length)).toEqual([1, 0])
    expect([1, 2, 64, 65].map((chars) => named(`\t${'a'.repeat(chars)}`).length)).toEqual([0, 1, 1, 0])
  })

  it('have reasons of 200 characters', () => {
    const reason = (chars: number) => named(`\tann (${'x'.repeat(chars)})`)
    expect([reason(200), reason(201)]).toEqual([[['ann', 'x'.repeat(200)]], []])
  })

  it('are on 100 lines', () => {
    const last = (lines: number) => named(`${'\tann\n'.repeat(lines - 1)}\tbob`).map(([name]) => name)
    expect([last(100), last(101)]).toEqual([['ann', 'bob'], ['ann']])
  })
})

describe('the words of a mail server', () => {
  it('are read up to 2,000 characters', () => {
    const endsAt = (chars: number, code: string) => code.padStart(chars, 'x ')
    expect([2000, 2001].map((chars) => findStatus(endsAt(chars, ' 5.1.1')))).toEqual(['5.1.1', ''])
    expect([2000, 2001].map((chars) => isTemporaryText(endsAt(chars, ' 4.1.1')))).toEqual([true, false])
    expect([2000, 2001].map((chars) => reasonOf('', endsAt(chars, ' spam')))).toEqual(['spam_detected', 'undefined'])
  })

  it('have statuses of numbers of three digits', () => {
    expect(['5.123.123', '5.1234.1', '5.1.1234'].map(findStatus)).toEqual(['5.123.123', '', ''])
    expect(['4.123.123', '4.1234.1', '4.1.1234'].map(isTemporaryText)).toEqual([true, false, false])
    // A permanent status beside it.
    const beside = (status: string) => isTemporaryText(`4.1.1 ${status}`)
    expect(['5.123.123', '5.1234.1', '5.1.1234'].map(beside)).toEqual([false, true, true])
  })

  /** Whether "spam" in a name is a reason: names that are longer than the limit are read. */
  const isReason = (words: string) => reasonOf('', words) === 'spam_detected'

  it.each([
    ['64 characters', `spam${'x'.repeat(60)}@a`, `spam${'x'.repeat(64)}@a`],
    ['64 characters behind a dot', `spam.${'x'.repeat(64)}@a`, `spam.${'x'.repeat(65)}@a`],
    ['8 dots', `spam${'.x'.repeat(8)}@a`, `spam${'.x'.repeat(9)}@a`],
    ['a domain of 253', `a@${'x'.repeat(249)}spam`, `a@${'x'.repeat(253)}spam`],
  ])('have addresses of up to %s, whose words are no reason', (_name, address, longer) => {
    expect([isReason(address), isReason(longer)]).toEqual([false, true])
  })

  it('have hosts of up to 255 characters, with addresses of 3 to 45 in brackets and ports of 5 digits', () => {
    const given = (chars: number) => isReason(`giving up on ${'x'.repeat(chars - 4)}spam`)
    expect([given(255), given(259)]).toEqual([false, true])
    const host = (chars: number, address: string) => isReason(`host ${'spam'.padEnd(chars, 'x')}[${address}]`)
    expect([host(255, '::1'), host(256, '::1')]).toEqual([false, true])
    expect([2, 3, 45, 46].map((chars) => host(4, ':'.repeat(chars)))).toEqual([true, false, false, true])
    // The reply code follows without a blank.
    const port = (digits: number) => reasonOf('', `host a [::1]:${'1'.repeat(digits)}552 x`)
    expect([5, 6].map(port)).toEqual(['mailbox_full', 'undefined'])
  })
})
