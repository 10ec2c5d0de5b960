import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutMail } from './mail-pieces.ts'

const sources = (html: string) => cutMail(html).map(({ source }) => source)
const long = '<p>text</p>'.repeat(300)

describe('a message', () => {
  it('is split between its outermost elements', () => {
    expect(sources('<p>a<br>b</p>\n<div><p title="</div>">c</p></div> d <!-- <b> --> <b>e</b>f')).toEqual([
      '<p>a<br>b</p>',
      '\n<div><p title="</div>">c</p></div>',
      ' d <!-- <b> --> <b>e</b>',
      'f',
    ])
  })

  it('is split again inside a long cell, and not inside elements with a parsing context of their own', () => {
    const [table] = cutMail(`<table width="1"><tr><td>short</td><td class="x">${long}</td></tr></table>`)
    expect(table?.slots).toHaveLength(1)
    expect(table?.source.slice(table.slots[0]?.from, table.slots[0]?.to)).toBe(long)
    expect(table?.slots[0]?.pieces).toHaveLength(300)
    expect(cutMail(`<a href="https://a.example/"><div>${long}</div></a>`)[0]?.slots).toEqual([])
  })

  it('is split between the head and the end of its document', () => {
    const [head, foot] = ['<!doctype html><html><head><style>p {}</style></head><body class="x">', '</body></html>\n']
    expect(sources(`${head}<p>a</p><p>b</p>${foot}`)).toEqual([head, '<p>a</p>', '<p>b</p>', foot])
  })

  it.each([
    '<p>a',
    '</p><p>a</p>',
    '<b><i>a</b></i>',
    '<style><p></style><p>a</p>',
    '<!-- <p> --!><p>a</p>',
    '<![CDATA[<p>]]><p>a</p>',
    '<html><body><p>a</p>',
    '<p>a <b</p><p>c</p>',
    '<p title=5" lang="en">a</p><p>b</p>',
    '<p>a</ p>b</p>',
  ])('stays whole when it is not plain: %s', (html) => expect(sources(html)).toEqual([html]))

  it('is unchanged when its pieces are joined', () => {
    const part = fc.constantFrom('<p>', '</p>', '<b x="', '">', "'", '<br>', '<', '>', 'text', '<!--', '-->', '</b>')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(sources(parts.join('')).join('')).toBe(parts.join(''))
      }),
    )
  })
})
