import { describe, expect, it } from 'vitest'
import { htmlText } from './html-text.ts'

describe('the text of an HTML block', () => {
  it.each([
    ['<p>One</p><p>Two &amp; three<br>four</p>', 'One\n\nTwo & three\nfour'],
    [
      'See <a href="https://example.com/?a=1&amp;b={{id}}">the {{what | default: "plan"}}</a>.',
      'See the {{what | default: "plan"}} <https://example.com/?a=1&b={{id}}>.',
    ],
    [
      '<a href="#top">Top</a><a href="https://example.com"><img src="x" alt="A boat"></a>',
      'TopA boat <https://example.com>',
    ],
    ['<style>p{}</style><script>x()</script><!-- <p>no</p> --><div style="display:none">hidden</div>Seen', 'Seen'],
    ['{{#if plan == "pro"}}<b>Pro</b>{{else}}Free{{/if}}', '{{#if plan == "pro"}}Pro{{else}}Free{{/if}}'],
    ['<!-- {{#if plan}} -->always{{/if}}', 'always'],
    ['1 < 2 &#123;&#123;name}}', '1 < 2 {\u2060{\u2060name}}'],
    ['&#0000065; &#00000065; &#x000041; &#x0000041;', 'A &#00000065; A &#x0000041;'],
    ['a&#1114111;b&#1114112;c&#0;d', 'a\u{10ffff}bcd'],
    ['a  b<br><br>c<br><br><br>d', 'a b\n\nc\n\nd'],
    ['<ul><li>a</li><li>b</li></ul><table><tr><td>1</td><td>2</td></tr></table>', 'a\nb\n\n1 2'],
  ])('of %s', (source, text) => {
    expect(htmlText(source)).toBe(text)
  })

  it('takes less than 50 ms of the processor for 580 kB of lone brackets', () => {
    const source = '<'.repeat(580_000)
    const times = [1, 2, 3].map(() => {
      const before = process.cpuUsage()
      expect(htmlText(source)).toBe(source)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(50)
  })

  it('takes linear time: 500 kB of unclosed tags, comments and scripts', () => {
    for (const piece of ['<', '<!--', '<script>', '<a href="', '<p ', '{{#if ', '&#'])
      expect(typeof htmlText(piece.repeat(Math.ceil(500_000 / piece.length)))).toBe('string')
  }, 5000)
})
