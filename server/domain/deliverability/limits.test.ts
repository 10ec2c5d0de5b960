import { describe, expect, it } from 'vitest'
import { readMail } from './mail-facts.ts'
import { findInMessage, scoreOf, type CheckedMail } from './message-rules.ts'

const words = (count: number) => Array.from({ length: count }, (_, no) => `word${no}`).join(' ')
const many = (count: number, text: (no: number) => string) =>
  Array.from({ length: count }, (_, no) => text(no)).join('')
const check = ({ subject = 'Doors open Thursday', html = `<p>${words(25)}</p>` }, facts: Partial<CheckedMail> = {}) =>
  findInMessage({ ...readMail(subject, html), kind: 'personal', unfilled: [], ...facts })
const rulesOf = (...given: Parameters<typeof check>) => check(...given).map(({ rule }) => rule)
/** A correct text with `more` behind it. */
const body = (more: string) => ({ html: `<p>${words(25)}</p>${more}` })
const image = '<img src="https://northwind.se/a.png" alt="Poster">'
const link = (href: string, text: string) => body(`<a href="${href}">${text}</a>`)
const upTo = (bytes: number, text = words(25)) => ({ html: `${text}<!--${' '.repeat(bytes - text.length - 7)}-->` })
const shownAs = (host: string) => link('https://northwind.se/open', host)

describe('a rule finds nothing at its limit, and something behind it', () => {
  it.each<[what: string, rule: string, correct: Parameters<typeof check>[0], wrong: Parameters<typeof check>[0]]>([
    ['78 or 79 characters of a subject', 'subject_long', { subject: 'a'.repeat(78) }, { subject: 'a'.repeat(79) }],
    ['8 or 9 characters in capitals', 'subject_capitals', { subject: 'DOORS UP' }, { subject: 'DOORS UPS' }],
    ['1 or 2 capitals in a row', 'subject_capitals', { subject: 'A 12345678' }, { subject: 'AB 12345678' }],
    ['1 or 2 marks in a subject', 'subject_marks', { subject: 'Doors open!' }, { subject: 'Doors open!!' }],
    ['1 or 2 currency signs', 'subject_money', { subject: 'Win $' }, { subject: 'Win $$' }],
    ['20 or 19 words beside an image', 'images_only', { html: words(20) + image }, { html: words(19) + image }],
    ['102,000 or 102,001 bytes', 'size_clipped', upTo(102_000), upTo(102_001)],
    [
      '51,000 or 51,001 letters of two bytes',
      'size_clipped',
      { html: 'é'.repeat(51_000) },
      { html: 'é'.repeat(51_001) },
    ],
    [
      '50 or 51 links',
      'links_many',
      body(many(50, (no) => `<a href="https://northwind.se/${no}">Page</a>`)),
      body(many(51, (no) => `<a href="https://northwind.se/${no}">Page</a>`)),
    ],
    ['39 or 40 letters in capitals', 'capitals_many', { html: 'A'.repeat(39) }, { html: 'A'.repeat(40) }],
    ['a half or more in capitals', 'capitals_many', { html: 'Aa'.repeat(30) }, { html: `${'Aa'.repeat(30)}A` }],
    ['2 or 3 marks in a text', 'marks_many', body('Come!!'), body('Come!!!')],
    [
      'a number of 4 or 3 digits in a host',
      'link_number',
      link('https://1234.0.113.9', 'x'),
      link('https://203.0.113.9', 'x'),
    ],
    [
      'a shown label of 64 or 63 characters',
      'link_mismatch',
      shownAs(`${'a'.repeat(64)}.se`),
      shownAs(`${'a'.repeat(63)}.se`),
    ],
    [
      'a shown top-level domain of 25 or 24 letters',
      'link_mismatch',
      shownAs(`bank.${'a'.repeat(25)}`),
      shownAs(`bank.${'a'.repeat(24)}`),
    ],
    ['a shown top-level domain of 1 or 2 letters', 'link_mismatch', shownAs('bank.s'), shownAs('bank.se')],
    [
      'a word behind a shown address, at the 300th or the 301st character',
      'link_mismatch',
      shownAs(`bank.se/${'y'.repeat(290)} x`),
      shownAs(`bank.se/${'y'.repeat(291)} x`),
    ],
    [
      'a contrast of 4.54 or 4.48',
      'contrast_weak',
      body('<p style="color:#767676">Small</p>'),
      body('<p style="color:#777777">Small</p>'),
    ],
    [
      'a contrast of 3.03 or 2.998',
      'contrast_low',
      body('<p style="color:#949494">Small</p>'),
      body('<p style="color:#959595">Small</p>'),
    ],
    [
      'a contrast of 3.03 is weak, 2.998 is not only weak',
      'contrast_weak',
      body('<p style="color:#959595">Small</p>'),
      body('<p style="color:#949494">Small</p>'),
    ],
  ])('%s', (_what, rule, correct, wrong) => {
    expect(rulesOf(correct)).not.toContain(rule)
    expect(rulesOf(wrong)).toContain(rule)
  })

  it.each([
    [4.5, []],
    [4.49, ['contrast_weak']],
    [3, ['contrast_weak']],
    [2.99, ['contrast_low']],
    [1.1, ['contrast_low']],
    [1.09, ['contrast_low', 'text_hidden']],
  ])('CHECK-07 a contrast of %s: %j', (ratio, expected) => {
    expect(rulesOf({}, { contrasts: [{ text: 'Small print', ratio }] })).toEqual(expected)
  })
})

describe('findings', () => {
  const placesOf = (rule: string, ...given: Parameters<typeof check>) =>
    check(...given)
      .filter((finding) => finding.rule === rule)
      .map(({ place }) => place)

  it('a rule reports at most 20 places, and 5 texts of low contrast', () => {
    const images = (count: number) => body(many(count, (no) => `<img src="https://northwind.se/${no}.png">`))
    expect(placesOf('alt_missing', images(20))).toHaveLength(20)
    expect(placesOf('alt_missing', images(21))).toHaveLength(20)
    for (const [rule, colour] of [
      ['contrast_low', '#ccc'],
      ['contrast_weak', '#888'],
    ] as const) {
      const texts = (count: number) => body(many(count, (no) => `<p style="color:${colour}">Text ${no}</p>`))
      expect(placesOf(rule, texts(5))).toHaveLength(5)
      expect(placesOf(rule, texts(6))).toHaveLength(5)
    }
  })

  it('a place is shown up to 60 characters', () => {
    const script = (length: number) => `javascript:${'x'.repeat(length - 11)}`
    expect(placesOf('link_script', link(script(60), 'Here'))).toEqual([script(60)])
    expect(placesOf('link_script', link(script(61), 'Here'))).toEqual([script(60)])
    const pale = (length: number) => body(`<p style="color:#ccc">${'x'.repeat(length)}</p>`)
    expect(placesOf('contrast_low', pale(60))).toEqual(['x'.repeat(60)])
    expect(placesOf('contrast_low', pale(61))).toEqual(['x'.repeat(60)])
  })

  it('an error costs 15 points and a warning 5, down to 0', () => {
    const findings = (count: number, severity: 'error' | 'warning' | 'info') =>
      Array.from({ length: count }, () => ({ rule: 'r', severity, sentence: '', remedy: '', place: null }))
    expect(scoreOf(findings(1, 'error'))).toBe(85)
    expect(scoreOf(findings(1, 'warning'))).toBe(95)
    expect(scoreOf(findings(9, 'info'))).toBe(100)
    expect(scoreOf([...findings(6, 'error'), ...findings(1, 'warning')])).toBe(5)
    expect(scoreOf([...findings(6, 'error'), ...findings(2, 'warning')])).toBe(0)
    expect(scoreOf(findings(7, 'error'))).toBe(0)
  })
})

describe('what is read of a mail', () => {
  it.each([
    ['#0a0a0a', 19.8],
    ['#0b0b0b', 19.68],
    ['#222222', 15.91],
  ])('the contrast of %s on white is %s', (colour, ratio) => {
    expect(readMail('', `<p style="color:${colour}">x</p>`).contrasts[0]?.ratio).toBeCloseTo(ratio, 2)
  })

  it('is its first 6,000 tags', () => {
    const breaks = (count: number) => readMail('', `${'<br>'.repeat(count - 1)}<b>shown`).text.trim()
    expect(breaks(6000)).toBe('shown')
    expect(breaks(6001)).toBe('')
  })

  it('a colour of rgb() has numbers of up to three digits, and one blank at most behind a comma', () => {
    const ratioOf = (colour: string) => readMail('', `<p style="color:${colour}">x</p>`).contrasts[0]?.ratio
    expect(ratioOf('rgb(255, 255, 255)')).toBe(1)
    expect(ratioOf('rgb(0255, 255, 255)')).toBe(21)
    expect(ratioOf('rgb(255, 0255, 255)')).toBe(21)
    expect(ratioOf('rgb(255, 255, 0255)')).toBe(21)
  })
})
