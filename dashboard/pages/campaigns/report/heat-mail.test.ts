import { describe, expect, it } from 'vitest'
import { markLinks } from './heat-mail.ts'

const link = (no: number, url: string) => ({ no, url, label: null, people: 0, clicks: 0, machines: 0 })
const numbers = (html: string, links: ReturnType<typeof link>[]) =>
  [...markLinks(html, links).matchAll(/<a\b[^>]*>/g)].map(([tag]) => /data-mail-link="(\d+)"/.exec(tag)?.[1] ?? null)

describe('links of a mail', () => {
  it('are matched by their address in their order; others have no number', () => {
    const html = `<a href="https://a.example/x">1</a><a href='mailto:x@a.example'>2</a><a class=b href=https://a.example/x>3</a>`
    expect(numbers(html, [link(1, 'https://a.example/x'), link(2, 'https://a.example/x')])).toEqual(['1', null, '2'])
  })

  it('are found under entities, blanks, a host in upper case and added UTM parameters', () => {
    const html = `<A HREF=" https://A.example/x?a=1&amp;b=2\n">1</A><a href="https://a.example/y">2</a>`
    const links = [link(1, 'https://A.example/x?a=1&b=2'), link(2, 'https://a.example/y?utm_source=mail')]
    expect(markLinks(html, links).match(/data-mail-link="\d"/g)).toEqual(['data-mail-link="1"', 'data-mail-link="2"'])
  })

  it('keep every other character of the HTML', () => {
    const html = `<p title="<a href='https://a.example/x'>">x</p><a\nhref="https://a.example/x" title="a > b">y</a>`
    const marked = markLinks(html, [link(1, 'https://a.example/y')])
    expect(marked).toBe(html)
  })

  it('are read in linear time', () => {
    const started = performance.now()
    markLinks(`<a ${'href '.repeat(100_000)}`, [link(1, 'https://a.example/x')])
    markLinks('<a '.repeat(100_000), [link(1, 'https://a.example/x')])
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
