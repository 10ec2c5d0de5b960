import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutMail } from './mail-pieces.ts'

describe('a message', () => {
  it('is cut between its outermost elements', () => {
    expect(cutMail('<p>a<br>b</p>\n<div><p title="</div>">c</p></div> d <b>e</b>f')).toEqual([
      '<p>a<br>b</p>',
      '\n<div><p title="</div>">c</p></div>',
      ' d <b>e</b>',
      'f',
    ])
  })

  it.each(['<p>a', '</p><p>a</p>', '<b><i>a</b></i>', '<style><p></style><p>a</p>', '<!-- <p> --><p>a</p>'])(
    'stays whole where it is not plain: %s',
    (html) => expect(cutMail(html)).toEqual([html]),
  )

  it('loses nothing to the cutting', () => {
    const part = fc.constantFrom('<p>', '</p>', '<b x="', '">', "'", '<br>', '<', '>', 'text', '<!--', '-->', '</b>')
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(cutMail(parts.join('')).join('')).toBe(parts.join(''))
      }),
    )
  })
})
