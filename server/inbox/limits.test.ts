import { describe, expect, it } from 'vitest'
import { dsn } from '../../tests/support/bounces/bounce-samples.ts'
import { readBounce } from './bounce/read-bounce.ts'
import { findOurIds, normalizeSubject, readMessageIds } from './match-keys.ts'
import { MailHeaders, readMailbox, readParameters } from './mime/headers.ts'
import { parseMail } from './mime/parse-mail.ts'
import { findReturnDate } from './words/return-date.ts'
import { isUnsubscribeRequest } from './words/unsubscribe-words.ts'

const many = (count: number, text: (no: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, no) => text(no)).join(between)
const messageId = '0198f2c4-1a2b-7c3d-8e4f-0123456789ab'

describe('the header of a mail', () => {
  it('has 500 lines', () => {
    const header = (lines: number) => new MailHeaders(many(lines, (no) => `X-${no + 1}: a`))
    expect([header(500).has('x-500'), header(500).isCut]).toEqual([true, false])
    expect([header(501).has('x-501'), header(501).isCut]).toEqual([false, true])
  })

  it('has fields of 8,192 characters, on one line or more', () => {
    const onOne = (chars: number) => new MailHeaders(`A:${'x'.repeat(chars)}`)
    expect(onOne(8190)).toMatchObject({ isCut: false })
    expect(onOne(8191)).toMatchObject({ isCut: true })
    expect([onOne(8192).get('a').length, onOne(8193).get('a').length]).toEqual([8192, 8192])
    const folded = (chars: number) => new MailHeaders(`A:x\n ${'x'.repeat(chars - 2)}`)
    expect([folded(8192).get('a').length, folded(8192).isCut]).toEqual([8192, false])
    expect([folded(8193).get('a').length, folded(8193).isCut]).toEqual([8192, true])
  })

  it('has names of 100 characters, and of one', () => {
    for (const [chars, isRead] of [
      [0, false],
      [1, true],
      [100, true],
      [101, false],
    ] as const) {
      const name = 'a'.repeat(chars)
      expect(new MailHeaders(`${name}: x`).has(name)).toBe(isRead)
    }
  })

  it('has structured values of 20 parameters', () => {
    const { parameters } = readParameters(`text/plain; ${many(21, (no) => `p${no + 1}=x`, '; ')}`)
    expect([parameters['p20'], parameters['p21']]).toEqual(['x', undefined])
  })

  it('has addresses of 320 characters in brackets, 64 before and 255 behind the @ without, and names of 200', () => {
    const inBrackets = (chars: number) => readMailbox(`Ann <${'a'.repeat(chars - 12)}@example.com>`)
    expect(inBrackets(320)?.address).toHaveLength(320)
    expect(inBrackets(321)?.name).toBe('')
    expect(readMailbox('<a@b>')?.address).toBe('a@b')
    expect(readMailbox(`${'a'.repeat(64)}@x.se`)?.address).toBe(`${'a'.repeat(64)}@x.se`)
    expect(readMailbox(`b${'a'.repeat(64)}@x.se`)?.address).toBe(`${'a'.repeat(64)}@x.se`)
    expect(readMailbox(`a@${'x'.repeat(255)}`)?.address).toBe(`a@${'x'.repeat(255)}`)
    expect(readMailbox(`a@${'x'.repeat(256)}`)?.address).toBe(`a@${'x'.repeat(255)}`)
    expect(readMailbox(`${'N'.repeat(200)} <a@x.se>`)?.name).toBe('N'.repeat(200))
    expect(readMailbox(`${'N'.repeat(201)} <a@x.se>`)?.name).toBe('N'.repeat(200))
  })
})

describe('the source of a mail', () => {
  const parse = (source: string) => parseMail(Buffer.from(source.replaceAll('\n', '\r\n')))

  it('is read up to 65,536 bytes', () => {
    const head = 'Subject: a\r\n\r\n'
    const textOf = (bytes: number) => parseMail(Buffer.from(head + 'x'.repeat(bytes - head.length)))
    expect(textOf(65_535)).toMatchObject({ isCut: false, parts: [{ text: 'x'.repeat(65_535 - head.length) }] })
    expect(textOf(65_536).parts[0]?.text).toHaveLength(65_536 - head.length)
    expect(textOf(65_537)).toMatchObject({ isCut: true, parts: [{ text: 'x'.repeat(65_536 - head.length) }] })
  })

  it('has 20 parts', () => {
    const mail = (parts: number) =>
      parse(`Content-Type: multipart/mixed; boundary=b\n\n${many(parts, (no) => `--b\n\npart ${no + 1}`)}\n--b--\n`)
    expect([mail(20).parts.length, mail(20).parts[19]?.text, mail(20).isCut]).toEqual([20, 'part 20', false])
    expect([mail(21).parts.length, mail(21).isCut]).toEqual([20, true])
  })

  it('has parts within parts on five levels', () => {
    const nested = (levels: number): string =>
      levels === 0
        ? '\ninnermost'
        : `Content-Type: multipart/mixed; boundary=b${levels}\n\n--b${levels}\n${nested(levels - 1)}\n--b${levels}--\n`
    expect(parse(nested(5))).toMatchObject({ isCut: false, parts: [{ text: 'innermost' }] })
    expect(parse(nested(6))).toMatchObject({ isCut: true, parts: [] })
  })
})

describe('what a mail answers', () => {
  it('is found among 50 Message-IDs', () => {
    const ids = (count: number) => many(count, (no) => `<${messageId}.${no + 1}@example.com>`)
    expect([findOurIds(ids(50)).length, findOurIds(ids(51)).length]).toEqual([50, 50])
    expect([readMessageIds(ids(50)).length, readMessageIds(ids(51)).length]).toEqual([50, 50])
  })

  it('has a number of up to 15 digits, and a code of 16', () => {
    const found = (end: string) => findOurIds(`<${messageId}.${end}@example.com>`)[0]
    expect(found('9'.repeat(15))).toMatchObject({ deliveryId: 999_999_999_999_999, mac: null })
    expect(found('9'.repeat(16))).toBeUndefined()
    expect(found(`7.${'a'.repeat(16)}`)).toMatchObject({ mac: 'a'.repeat(16) })
    expect(found(`7.${'a'.repeat(15)}`)).toBeUndefined()
    expect(found(`7.${'a'.repeat(17)}`)).toBeUndefined()
  })

  it('has Message-IDs of 3 to 250 characters', () => {
    expect([2, 3, 250, 251].map((chars) => readMessageIds(`<${'a'.repeat(chars)}>`).length)).toEqual([0, 1, 1, 0])
  })

  it('loses up to ten prefixes of its subject', () => {
    expect(normalizeSubject(`${'Re: '.repeat(10)}Hello`)).toBe('hello')
    expect(normalizeSubject(`${'Re: '.repeat(11)}Hello`)).toBe('re: hello')
    expect(normalizeSubject('Re[999]: Hello')).toBe('hello')
    expect(normalizeSubject('Re[1000]: Hello')).toBe('re[1000]: hello')
  })
})

describe('a bounce', () => {
  const read = (source: string) => readBounce(parseMail(Buffer.from(source)))

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
      read(
        dsn(
          `Final-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; ${'550 5.1.1 user unknown '.padEnd(chars, 'x')}`,
        ),
      )?.[0]?.words
    expect(words(1000)).toBe('550 5.1.1 user unknown '.padEnd(1000, 'x'))
    expect(words(1001)).toBe('550 5.1.1 user unknown '.padEnd(1000, 'x'))
  })
})

it('a request for no more mails has 60 characters at most', () => {
  expect(isUnsubscribeRequest('unsubscribe'.padEnd(60, '!'))).toBe(true)
  expect(isUnsubscribeRequest('unsubscribe'.padEnd(61, '!'))).toBe(false)
})

describe('a day of return', () => {
  const find = (text: string) => findReturnDate(text, new Date('2026-08-24T10:00:00Z'))
  const day = '2026-09-08'

  it('is found in the first 8,000 characters', () => {
    const sentence = 'I am back on 2026-09-08'
    const endsAt = (chars: number) => `${'.\n'.repeat(4000).slice(0, chars - sentence.length)}${sentence}`
    expect(find(endsAt(8000))).toBe(day)
    expect(find(endsAt(8001))).toBeNull()
  })

  it('stands up to 60 characters behind the word, or 40 before it', () => {
    const behind = (chars: number) => `Back${' '.repeat(chars - 4)}2026-09-08`
    expect([60, 61].map((chars) => find(behind(chars)))).toEqual([day, null])
    const before = (chars: number) => `On 2026-09-08${' '.repeat(chars - 4)}back`
    expect([40, 41].map((chars) => find(before(chars)))).toEqual([day, null])
  })
})
