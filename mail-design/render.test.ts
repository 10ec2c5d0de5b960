import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import type { Block, Design, Inline, List } from '../contract/design/design.ts'
import { conditionHolds } from '../contract/mail/merge-conditions.ts'
import { escapeHtml, fillTemplate, parseTemplate, type MergeContext } from '../contract/mail/merge-variables.ts'
import { anyDesign, sampleDesign, sampleRow, sampleTheme, textBlock } from '../tests/support/design-samples.ts'
import { renderHtml } from './render-html.ts'
import { renderText } from './render-text.ts'
import { validateDesign } from './validate.ts'

const filledHtml = (design: Design, context: MergeContext = {}) =>
  fillTemplate(parseTemplate(renderHtml(design)), context, escapeHtml)

/** What a mail client shows of a mail and loads for it: texts outside of hidden elements, links, scripts and handlers. */
function readMail(html: string): { text: string; links: string[]; tags: string[]; handlers: string[] } {
  const mail = { text: '', links: [] as string[], tags: [] as string[], handlers: [] as string[] }
  const skipped: boolean[] = []
  const parser = new Parser({
    onopentag(tag, given) {
      const isHidden = (given['style'] ?? '').includes('display:none') || ['head', 'style', 'title'].includes(tag)
      skipped.push(isHidden)
      mail.tags.push(tag)
      mail.handlers.push(...Object.keys(given).filter((attribute) => attribute.startsWith('on')))
      if (tag === 'a') mail.links.push(given['href'] ?? '')
      if (tag === 'img') mail.text += given['alt'] ?? ''
    },
    ontext(text) {
      if (!skipped.includes(true)) mail.text += text
    },
    onclosetag: () => void skipped.pop(),
  })
  parser.end(html)
  return mail
}

/** The words of a design in reading order, read from the document alone. */
function wordsOf(design: Design, context: MergeContext): string {
  const fill = (template: string) => fillTemplate(parseTemplate(template), context)
  const inline = (content: readonly Inline[]): string =>
    content
      .map((piece) => {
        if ('break' in piece) return ' '
        return 'text' in piece ? piece.text : String(context[piece.variable] ?? piece.fallback)
      })
      .join('')
  const list = ({ items }: List): string =>
    items.map((item) => inline(item.content) + (item.list ? list(item.list) : '')).join('')
  const block = (each: Block): string => {
    switch (each.type) {
      case 'heading':
        return inline(each.content)
      case 'text':
      case 'footer':
        return each.content.map((part) => (part.type === 'list' ? list(part) : inline(part.content))).join('')
      case 'button':
        return fill(each.label)
      case 'image':
        return fill(each.alt)
      case 'divider':
      case 'spacer':
        return ''
      case 'menu':
      case 'social':
        return each.links.map(({ label }) => fill(label)).join('')
      case 'table':
        return each.rows.flatMap(({ cells }) => cells.flatMap(({ blocks }) => blocks.map(block))).join('')
      case 'product':
        return [each.name, each.description, each.price, each.button?.label ?? ''].map(fill).join('')
      case 'html':
        return fill(each.html.replaceAll(/<\/?\w+>/g, ''))
    }
  }
  const isShown = ({ showIf }: Design['rows'][number]) =>
    showIf === undefined ||
    conditionHolds(
      { name: showIf.variable, operator: showIf.operator, value: showIf.value ?? '' },
      context[showIf.variable],
    )
  return design.rows
    .filter(isShown)
    .flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks.map(block)))
    .join('')
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, '')

describe('a rendered design', () => {
  it('has the text of its document, in 10,000 generated designs', () => {
    const contexts: MergeContext[] = [{}, { plan: 'PRO', name: '<b>Ann</b> {{x}}' }]
    fc.assert(
      fc.property(anyDesign, fc.constantFrom(...contexts), (design, context) => {
        const { text, tags, handlers } = readMail(filledHtml(design, context))
        expect(squeeze(text)).toBe(squeeze(wordsOf(design, context)))
        expect(tags).not.toContain('script')
        expect(handlers).toEqual([])
      }),
      { numRuns: 10_000 },
    )
  })

  it('has the words and addresses of its blocks in its text part', () => {
    fc.assert(
      fc.property(anyDesign, (design) => {
        const text = squeeze(fillTemplate(parseTemplate(renderText(design)), {})).replaceAll('\u2060', '')
        const addresses = readMail(filledHtml(design)).links
        for (const address of new Set(addresses)) expect(text).toContain(`<${address}>`)
        for (const { columns, showIf } of design.rows) {
          if (showIf) continue
          for (const block of columns.flatMap(({ blocks }) => blocks))
            if (block.type === 'heading')
              for (const piece of block.content) if ('text' in piece) expect(text).toContain(squeeze(piece.text))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is valid before it is rendered: the generated designs have no fault', () => {
    fc.assert(
      fc.property(anyDesign, (design) => {
        expect(validateDesign(design)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('shows hostile texts, labels and addresses as text', () => {
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>{{name}}'`
    const design = sampleDesign([
      sampleRow([
        textBlock('a', hostile),
        { id: 'b', type: 'button', label: '<i>x</i>"', href: 'https://example.com/?q="><script>' },
        { id: 'c', type: 'image', src: 'https://example.com/"onload="x', alt: '"onload="x' },
      ]),
    ])
    const mail = readMail(filledHtml(design, { name: '<script>' }))
    expect(mail.text).toContain(hostile)
    expect(mail.tags.filter((tag) => ['script', 'i'].includes(tag))).toEqual([])
    expect(mail.handlers).toEqual([])
    expect(mail.links).toEqual(['https://example.com/?q="><script>'])
  })

  it('a merge variable in a button’s link and in the preheader is filled', () => {
    const button: Block = { id: 'b', type: 'button', label: 'Go', href: 'https://example.com/{{id}}' }
    const html = filledHtml(sampleDesign([sampleRow([button])], { preheader: 'For {{name}}' }), {
      id: 'a&b',
      name: 'Ann',
    })
    expect(readMail(html).links).toEqual(['https://example.com/a&b'])
    expect(html).toMatch(/<div style="display:none[^"]*">For Ann/)
  })

  it('has the preheader as the first text of the body, hidden', () => {
    const html = filledHtml(sampleDesign([sampleRow([textBlock('a', 'Visible')])], { preheader: 'Inbox line' }))
    expect(html.indexOf('Inbox line')).toBeLessThan(html.indexOf('Visible'))
    expect(readMail(html).text.trim()).toBe('Visible')
  })

  it('fills the line behind its preheader, so that no text of the body follows it in an inbox', () => {
    const html = filledHtml(sampleDesign([sampleRow([textBlock('a', 'Visible')])], { preheader: 'Inbox line' }))
    const between = html.slice(html.indexOf('Inbox line'), html.indexOf('Visible')).replaceAll(/<[^<>]*>/g, '')
    expect(between.split('&nbsp;').length).toBeGreaterThan(50)
  })

  it('has the space inside a button for Outlook too', () => {
    const button: Block = { id: 'a', type: 'button', label: 'x', href: 'https://x.co', inset: [1, 2, 3, 4] }
    expect(renderHtml(sampleDesign([sampleRow([button])]))).toContain(';mso-padding-alt:1px 2px 3px 4px;')
  })

  it('draws an image as wide as its place: a share of a cell, a third of a product', () => {
    const image = { src: 'https://x.co/a.png', alt: '' }
    const product: Block = { id: 'a', type: 'product', name: 'x', description: '', price: '', image }
    const cell = { width: { percent: 50 }, blocks: [{ id: 'b', type: 'image' as const, ...image }] }
    const table: Block = { id: 'c', type: 'table', rows: [{ cells: [cell] }] }
    const html = renderHtml(sampleDesign([sampleRow([product, table], { padding: [0, 0, 0, 0] })]))
    expect([...html.matchAll(/<img [^>]* width="(\d+)"/g)].map(([, width]) => width)).toEqual(['200', '300'])
  })

  it('has a dark variant of a colour for each of its uses', () => {
    const button = (id: string, changes: object): Block => ({
      ...{ id, type: 'button', label: 'Come in', href: 'https://example.com' },
      ...changes,
    })
    const html = renderHtml(
      sampleDesign([sampleRow([button('a', { fill: '#f0f0f0' }), button('b', { colour: '#f0f0f0' })])]),
    )
    expect(html).toMatch(/background-color:#f0f0f0/)
    expect(html).toMatch(/[;"]color:#f0f0f0/)
  })

  it('has the colours of its theme, and dark variants unless the theme has none', () => {
    const blocks = [textBlock('a', 'x')]
    const themed = (dark: 'auto' | 'off') =>
      renderHtml(
        sampleDesign([sampleRow(blocks)], {
          theme: { ...sampleTheme, text: { light: '#101010', dark: '#efefef' }, dark },
        }),
      )
    expect(themed('auto')).toMatch(/<p class="c-text"[^>]*color:#101010/)
    expect(themed('auto')).toMatch(/prefers-color-scheme:dark\)\{.*\.c-text\{color:#efefef!important\}/)
    expect(themed('off')).not.toContain('prefers-color-scheme')
  })

  it('stacks columns on a phone only if the row asks for it', () => {
    const columns = [
      { span: 6, blocks: [textBlock('a', '1')] },
      { span: 6, blocks: [textBlock('b', '2')] },
    ]
    const html = (stackOnPhone: boolean) => renderHtml(sampleDesign([{ id: 'r', columns, stackOnPhone }]))
    expect(html(true)).toMatch(/class="w\d+" style="display:inline-block;width:100%/)
    expect(html(true)).toMatch(/@media only screen and \(min-width:480px\)\{\.w\d+\{width:50%!important\}/)
    expect(html(false)).toContain('display:inline-block;width:50%')
  })

  it('has no table around the text of a letter', () => {
    const html = renderHtml(
      sampleDesign([sampleRow([textBlock('a', 'Dear Ann'), textBlock('b', 'Yours')])], { layout: 'letter' }),
    )
    expect(readMail(html).tags).not.toContain('table')
    expect(html).toMatch(/<p [^>]*>Dear Ann<\/p>/)
  })

  it('is the source byte for byte if the design is one HTML block with a whole document', () => {
    const source = '<!DOCTYPE html>\r\n<html><body><p>Hi\n</p></body></html>\n\n'
    expect(renderHtml(sampleDesign([sampleRow([{ id: 'a', type: 'html', html: source }])]))).toBe(source)
  })

  it('has style sheets of HTML blocks in its head', () => {
    const block: Block = { id: 'a', type: 'html', html: '<style>.x{height:4px}</style><div class="x c-quiet"></div>' }
    const html = renderHtml(
      sampleDesign([sampleRow([block])], { theme: { ...sampleTheme, quiet: { light: '#111111', dark: '#eeeeee' } } }),
    )
    expect(html.slice(0, html.indexOf('</head>'))).toContain('.x{height:4px}')
    expect(html).toContain('.c-quiet{color:#eeeeee!important}')
    expect(html.slice(html.indexOf('<body'))).not.toContain('<style>')
  })
})
