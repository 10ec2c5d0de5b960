import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mailMaxBytes } from '../../../contract/mail/message.limits.ts'
import { escapeHtml, type MergeContext } from '../../../contract/mail/merge-variables.ts'
import { messageContent } from '../../../tests/support/message-content.ts'
import { compileMessage } from './mime.ts'
import { encodeLastPiece, encodePiece } from './quoted-printable.ts'
import { encodedBytes } from '../../domain/messages/encoded-size.ts'
import { createSizeCheck, surelyFits, type SizedMail } from '../../domain/messages/rendered-size.ts'

const url = 'https://mail.example.com'
const mail = (changes: Partial<SizedMail> = {}): SizedMail => ({
  subject: 'Hello',
  content: '',
  isHtml: false,
  context: {},
  ...changes,
})
const bytesIn = (sentence: string) => Number(/would have ([\d.]+) MB/.exec(sentence)?.[1]) * 1024 * 1024
const built = (given: SizedMail, own: MergeContext | null = null) =>
  compileMessage(messageContent(given)).build({ id: 7, recipient: 'bob@example.com', context: own }, new Date(0)).bytes
    .length

describe('the encoded size of a piece', () => {
  const anyText = fc
    .array(
      fc.oneof(
        fc.constantFrom('.', 'From ', ' ', '\r\n', '\n', '\r', '=', 'é', '€', '😀', '\t', '"', '<'),
        fc.string({ maxLength: 90 }),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
      ),
      { maxLength: 30 },
    )
    .map((pieces) => pieces.join(''))

  it('is an upper bound of the output, and a close one', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = encodedBytes(text)
        const written = Math.max(encodePiece(text).length, encodeLastPiece(text).length)
        expect(bytes).toBeGreaterThanOrEqual(written)
        expect(bytes).toBeLessThanOrEqual(1.25 * written + 12)
      }),
      { examples: [[`€${'😀'.repeat(5)}.From `]] },
    )
  })
})

describe('the size of a mail', () => {
  const value = `${'a long word and “quotes”, '.repeat(300)}\n`

  it.each([
    ['plain text', false, '{{a}}\n'],
    ['HTML', true, '<p>{{a}}</p>'],
  ])('of %s is estimated within a tenth, and as an upper bound near the limit', (_what, isHtml, line) => {
    const one = built(mail({ content: line, isHtml, context: { a: value } })) - 600
    const fitting = Math.floor((0.9 * mailMaxBytes) / one)
    const fits = mail({ content: line.repeat(fitting), isHtml, context: { a: value } })
    expect(createSizeCheck(fits, url).find('bob@example.com', null)).toBeNull()
    expect(built(fits)).toBeLessThanOrEqual(mailMaxBytes)
    const large = mail({ content: line.repeat(2 * fitting), isHtml, context: { a: value } })
    const problem = createSizeCheck(large, url).find('bob@example.com', null)
    expect(problem).toMatchObject({ field: 'content', variable: 'a' })
    expect(bytesIn(problem?.sentence ?? '') / (2 * fitting * one)).toBeCloseTo(1, 1)
    expect(() => built(large)).toThrow('larger than 10 MB')
  })

  it('is 10 MB at most, with 18,068 bytes for header fields and subject, and 4,096 more for the text of HTML', () => {
    // A line takes 12 bytes on the wire, and the last piece three more.
    const find = (lines: number, rest: number, isHtml: boolean) =>
      createSizeCheck(mail({ content: `${'a'.repeat(10)}\n`.repeat(lines) + 'a'.repeat(rest), isHtml }), url).find(
        'bob@example.com',
        null,
      )
    expect(find(872_307, 5, false)).toBeNull()
    expect(find(872_307, 6, false)).toMatchObject({ field: 'content', variable: null })
    expect(find(435_982, 11, true)).toBeNull()
    expect(find(435_982, 12, true)).toMatchObject({ field: 'content', variable: null })
  })

  it('includes fallbacks, and links replaced by a context', () => {
    const fallback = mail({ content: `{{a | default: "${'x'.repeat(9000)}"}}`.repeat(100) + '{{b}}'.repeat(2000) })
    expect(createSizeCheck(fallback, url).find('a@b.example', { b: 'y'.repeat(4000) })).toBeNull()
    expect(createSizeCheck(fallback, url).find('a@b.example', { b: 'y'.repeat(9000) })).toMatchObject({ variable: 'b' })
    const linked = mail({
      content: '{{unsubscribe_url}}'.repeat(2000),
      context: { unsubscribe_base: 'y'.repeat(9000) },
    })
    expect(createSizeCheck(linked, url).find('a@b.example', null)).toMatchObject({ variable: 'unsubscribe_url' })
    expect(createSizeCheck({ ...linked, context: {} }, url).find('a@b.example', null)).toBeNull()
  })

  it('uses a recipient’s own value in place of the message’s', () => {
    const content = '{{a}}'.repeat(2000)
    const large = createSizeCheck(mail({ content, context: { a: 'x'.repeat(10_000) } }), url)
    expect(large.safeContextBytes).toBe(-1)
    expect(large.find('a@b.example', null)).not.toBeNull()
    expect(large.find('a@b.example', { a: 'x' })).toBeNull()
    const small = createSizeCheck(mail({ content, context: { a: 'x' } }), url)
    expect(small.find('a@b.example', null)).toBeNull()
    expect(small.find('a@b.example', { a: 'x'.repeat(10_000) })).not.toBeNull()
    expect(small.find('a@b.example', { b: 'x'.repeat(10_000) })).toBeNull()
  })

  it('counts a value once for each spelling of its variable', () => {
    const spelled = createSizeCheck(mail({ content: '{{a}}'.repeat(600) + '{{A}}'.repeat(600) }), url)
    const value = 'y'.repeat(9000)
    expect(spelled.find('a@b.example', { a: value })).toMatchObject({ field: 'content' })
    expect(spelled.find('a@b.example', { a: value, A: '' })).toBeNull()
    expect(JSON.stringify({ a: value }).length).toBeGreaterThan(spelled.safeContextBytes)
  })

  it('classifies no unsafe context as safe', () => {
    fc.assert(
      fc.property(
        fc.record({ a: fc.integer({ min: 0, max: 300 }), b: fc.integer({ min: 1, max: 300 }), html: fc.boolean() }),
        fc.constantFrom('x', '"', '€', '&', '.'),
        fc.integer({ min: 0, max: 10_000 }),
        ({ a, b, html }, unit, chars) => {
          const given = mail({ content: '{{a}} '.repeat(a) + '{{b}}'.repeat(b), isHtml: html, subject: '{{b}}' })
          const check = createSizeCheck(given, url)
          const own = { a: unit.repeat(chars), b: unit.repeat(10_000 - chars) }
          const contextBytes = Buffer.byteLength(JSON.stringify(own))
          if (check.find('a@b.example', own) !== null) expect(contextBytes).toBeGreaterThan(check.safeContextBytes)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is computed when a mail may not fit', () => {
    const counts = fc.integer({ min: 0, max: 1200 })
    const values = fc.constantFrom(0, 1, 400, 900, 3000, 9000)
    fc.assert(
      fc.property(
        counts,
        values,
        fc.constantFrom(0, 1, 2),
        fc.constantFrom(1, 8000),
        (tags, chars, inSubject, base) => {
          const given = mail({
            content: '{{a}}{{unsubscribe_url}}'.repeat(tags),
            subject: `Re: ${'{{a}}'.repeat(inSubject)}`,
            context: { a: 'x'.repeat(chars), unsubscribe_base: 'y'.repeat(base) },
          })
          if (surelyFits(given, url)) expect(createSizeCheck(given, url).find('a@b.example', null)).toBeNull()
        },
      ),
      { numRuns: 200 },
    )
    expect(surelyFits(mail({ subject: '{{a}}', content: '{{a}}', context: { a: 'Ann' } }), url)).toBe(true)
  })

  it('covers the growth of a text with nested quotes', () => {
    const depth = 190
    const html = '<blockquote>'.repeat(depth) + 'a<br>'.repeat(20_000)
    expect(built(mail({ content: html, isHtml: true }))).toBeLessThan(4 * html.length)
  })

  it('is computed for the largest body in a fraction of a second', () => {
    const content = '{{a}}'.repeat(180_000)
    const start = process.threadCpuUsage()
    const problem = createSizeCheck(mail({ content, isHtml: true, context: { a: escapeHtml('<').repeat(2500) } }), url)
    expect(problem.find('bob@example.com', null)).toMatchObject({ variable: 'a' })
    expect(process.threadCpuUsage(start).user).toBeLessThan(2_000_000)
  })
})

describe('a subject', () => {
  it('of 998 characters after substitution is allowed, of 999 not', () => {
    const once = createSizeCheck(mail({ subject: 'Re: {{a}}' }), url)
    expect(once.find('bob@example.com', { a: 'x'.repeat(994) })).toBeNull()
    expect(once.find('bob@example.com', { a: 'x'.repeat(995) })?.sentence).toContain('999 characters')
    const check = createSizeCheck(mail({ subject: 'Re: {{a}}{{a}}' }), url)
    expect(check.find('bob@example.com', { a: 'x'.repeat(497) })).toBeNull()
    expect(check.find('bob@example.com', { a: 'x'.repeat(498) })?.sentence).toContain('1000 characters')
    expect(check.find('bob@example.com', { a: '😀'.repeat(497) })).toBeNull()
  })
})
