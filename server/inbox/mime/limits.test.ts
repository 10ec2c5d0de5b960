import { describe, expect, it } from 'vitest'
import { many } from '../../../tests/support/inbox/many.ts'
import { decodeCharset } from './charset.ts'
import { decodeWords, MailHeaders, readMailbox, readParameters } from './headers.ts'
import { parseMail } from './parse-mail.ts'
import { htmlToText, plainTextOf, textAboveQuotation } from './plain-text.ts'

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

  it('has a sign behind a backslash in a quoted parameter', () => {
    expect(readParameters(String.raw`text/plain; name="a\"b;c"; charset=x`).parameters).toEqual({
      name: 'a"b;c',
      charset: 'x',
    })
  })

  it('has addresses of 320 characters in brackets, 64 before and 255 behind the @ without, and names of 200', () => {
    const inBrackets = (chars: number) => readMailbox(`Ann <${'a'.repeat(chars - 12)}@example.com>`)
    expect(inBrackets(320)?.address).toHaveLength(320)
    expect(inBrackets(321)?.name).toBe('')
    expect(readMailbox('<a@b>')?.address).toBe('a@b')
    const beforeComment = (address: string) => readMailbox(`Ann <${address}> (office)`)
    expect(beforeComment(`${'a'.repeat(308)}@example.com`)?.address).toHaveLength(320)
    expect(beforeComment(`${'a'.repeat(309)}@example.com`)?.name).toBe('')
    expect(beforeComment('a@b')).toEqual({ name: 'Ann', address: 'a@b' })
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

  it('has bytes of two digits in quoted-printable', () => {
    const { parts } = parse('Content-Transfer-Encoding: quoted-printable\n\ncaf=C3=A9 a=3D1')
    expect(parts).toMatchObject([{ text: 'café a=1' }])
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

describe('a charset', () => {
  it('has a name of 40 characters', () => {
    const named = (blanks: number) => decodeCharset(Buffer.from([0xc1]), `koi8-r${' '.repeat(blanks)}x`)
    // The blanks at the end of a name count for nothing; an unknown name is read as Windows-1252.
    expect([named(33), named(34)]).toEqual(['Á', 'а'])
  })

  it('stays UTF-8 where only the last three characters are broken, of four bytes or more', () => {
    expect(decodeCharset(Buffer.from('abcd\xe9ef', 'latin1'), 'utf-8')).toBe('abcd\ufffdef')
    expect(decodeCharset(Buffer.from('abcd\xe9efg', 'latin1'), 'utf-8')).toBe('abcdéefg')
    expect(decodeCharset(Buffer.from('abc\xe9', 'latin1'), 'utf-8')).toBe('abc\ufffd')
    expect(decodeCharset(Buffer.from('ab\xe9', 'latin1'), 'utf-8')).toBe('abé')
  })
})

describe('blanks and empty lines', () => {
  it('two blanks of a header become one, three line breaks of a text two', () => {
    expect(decodeWords('Doors  open')).toBe('Doors open')
    expect(plainTextOf(parseMail(Buffer.from('\n\na\n\n\nb')))).toBe('a\n\nb')
  })
})

describe('the text of an HTML part', () => {
  it('has entities of six decimal or five hexadecimal digits, and names of two letters', () => {
    expect(htmlToText('&#000065; &#x00041; &lt;')).toBe('A A <')
    expect(htmlToText('&#0000065; &#x000041;')).toBe('&#0000065; &#x000041;')
  })
})

describe('a quotation', () => {
  /** Whether the text ends above a line. */
  const isQuotation = (...lines: string[]) => textAboveQuotation(['Yes', ...lines].join('\n')) === 'Yes'
  const fill = (chars: number) => 'x'.repeat(chars)

  it.each([
    ['two dashes', '-- original message', '- original message'],
    ['ten underscores', '_'.repeat(10), '_'.repeat(9)],
    ['an address within 200 characters of "From:"', `From: ${fill(200)}@`, `From: ${fill(201)}@`],
    ['a colon within 120 characters of "wrote"', `Ann wrote${fill(120)}:`, `Ann wrote${fill(121)}:`],
    ['a line whose first 400 characters end so', `${fill(394)}wrote:x`, `${fill(395)}wrote:x`],
  ])('begins at %s', (_name, line, other) => {
    expect([isQuotation(line), isQuotation(other)]).toEqual([true, false])
  })

  it('begins at a line of 120 characters behind "On" if the first 200 characters of the next one end so', () => {
    const around = (first: number, second: number, end = '') =>
      isQuotation(`On ${fill(first)}`, `${fill(second - 6)}wrote:${end}`)
    expect([around(120, 200, 'x'), around(120, 201, 'x')]).toEqual([true, false])
    expect([around(120, 9), around(121, 9)]).toEqual([true, false])
  })
})
