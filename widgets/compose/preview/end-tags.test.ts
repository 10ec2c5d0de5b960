import { describe, expect, it } from 'vitest'
import { cutMessage, withEndTags } from './end-tags.ts'

const a = '<a href="https://example.com/x">'

describe('HTML whose paragraphs and links do not end', () => {
  it.each([
    ['<p>one<p>two', '<p>one</p><p>two</p>'],
    [`one ${a}two ${a}three`, `one ${a}two </a>${a}three</a>`],
    [`<p>one ${a}two<p>three ${a}four`, `<p>one ${a}two</a></p><p>${a}three </a>${a}four</a></p>`],
    [`<p>one ${a}two</p><p>${a}three</a>`, `<p>one ${a}two</a></p><p>${a}three</a></p>`],
    ['<div><p>one</div><ul><li><p>two</li></ul>', '<div><p>one</p></div><ul><li><p>two</p></li></ul>'],
    ['<p>one<h1>two</h1>', '<p>one</p><h1>two</h1>'],
  ])('gets their end tags: %s', (html, ended) => expect(withEndTags(html)).toBe(ended))

  it.each([
    `<p>one ${a}two<div>three</div>`,
    `<p>one ${a}two</p> three`,
    `<div>${a}one</div>two`,
    `<p><b>one<p>two`,
    `${a}one<p>two`,
    '<p>one<table><tr><td>two</td></tr></table>',
    '<ul><li>one<li><p>two</li><p>three</li></ul>',
    '<p>one</p></p>',
    '<p>one<b',
  ])('is unchanged where more depends on them: %s', (html) => expect(withEndTags(html)).toBe(html))

  it('is unchanged where it is nested deeper than a message is cut', () => {
    const nested = (depth: number) => `${'<div>'.repeat(depth)}<p>one<p>two${'</div>'.repeat(depth)}`
    expect(withEndTags(nested(50))).not.toBe(nested(50))
    expect(withEndTags(nested(200))).toBe(nested(200))
  })

  it.each([`<p>text ${a}link`, '<p>a paragraph that does not end', `text ${a}link `])(
    'is cut into pieces of one of them, however many there are: %s',
    (part) => {
      const pieces = cutMessage(part.repeat(10_000))
      expect(pieces).toHaveLength(10_000)
      expect(Math.max(...pieces.map(({ source }) => source.length))).toBeLessThan(2 * part.length + a.length)
      expect(pieces.some(({ isApart }) => isApart)).toBe(false)
    },
  )

  it.each(['<p><b>', `<div>${a}`, `${a}<p>`, '<p>one</p></p>'])(
    'stays whole where it nests without an end: %s',
    (part) => {
      const html = part.repeat(10_000)
      expect(cutMessage(html)).toEqual([{ source: html, slots: [], isApart: true }])
    },
  )
})
