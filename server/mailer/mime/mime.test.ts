import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { describe, expect, it } from 'vitest'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { MessageContent } from '../../domain/messages/delivery.ts'
import { messageContent } from '../../../tests/support/message-content.ts'
import { compileMessage } from './mime.ts'

const date = new Date('2026-01-02T03:04:05Z')

interface Given extends Partial<MessageContent> {
  own?: MergeContext
  to?: string
}

function build({ own, to = 'bob@example.com', ...given }: Given): Buffer {
  const template = compileMessage(messageContent(given))
  return template.build({ id: 7, recipient: to, context: own ?? null }, date).bytes
}

const read = async (given: Given) => simpleParser(build(given))
const headersOf = (raw: Buffer) => raw.toString('latin1').split('\r\n\r\n')[0] ?? ''
const headerNames = (raw: Buffer) => headersOf(raw).match(/^[\w-]+(?=:)/gm) ?? []
const linesOf = (raw: Buffer) => raw.toString('latin1').split('\r\n')

describe('a mail', () => {
  it('has the mailbox as sender, one recipient, the date, and a Message-ID derived from the row', async () => {
    const first = build({})
    const mail = await simpleParser(first)
    expect(mail.from?.text).toBe('ann@example.com')
    expect([mail.to].flat().map((to) => to?.text)).toEqual(['bob@example.com'])
    expect(mail.date).toEqual(date)
    expect(mail.messageId).toBe('<0190a1b2.7@example.com>')
    expect(mail.headers.get('mime-version')).toBe('1.0')
    expect((await simpleParser(build({}))).messageId).toBe(mail.messageId)
  })

  it('API-EMAIL-22 contains HTML and a text alternative with the same words', async () => {
    const mail = await read({
      content: '<style>p{}</style><h1>News</h1><p>Hi <b>Bob</b></p><a href="https://x.com/a">Read</a>',
    })
    expect(mail.html).toContain('<h1>News</h1><p>Hi <b>Bob</b></p>')
    expect(mail.text?.trim()).toBe('News\n\nHi Bob\n\nRead <https://x.com/a>')
  })

  it('omits hidden HTML and decoration from the text', async () => {
    const hidden = '<div style="display:none;max-height:0px">Preheader {{name}}</div><p hidden>Old</p>'
    const ornament = '<table><tr aria-hidden="true"><td><p>*</p></td></tr><tr><td><p>Sale</p></td></tr></table>'
    const mail = await read({ content: `${hidden}<h1>News</h1>${ornament}`, context: { name: 'Bob' } })
    expect(mail.text?.trim()).toBe('News\n\nSale')
  })

  it('HTML without words has no text alternative', async () => {
    const mail = await read({ content: '<img src="https://x.com/a.png">' })
    expect(mail.html).toContain('<img')
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'text/html' })
  })

  it('H36 without is_html it is plain text, for any content', async () => {
    const raw = build({ isHtml: false, content: '<b>Hi</b> {{name}}', context: { name: '<Bob>' } })
    const mail = await simpleParser(raw)
    expect(mail.html).toBe(false)
    expect(mail.text?.trim()).toBe('<b>Hi</b> <Bob>')
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'text/plain' })
  })

  it('API-PUBLIC-10 fills subject, HTML and text, each with its own escaping', async () => {
    const mail = await read({
      subject: 'Hi {{name}}',
      content: '<p title="{{name}}">Hi {{name}}, {{n | default: "none"}}</p><a href="{{link}}">Go</a>',
      context: { name: 'A & <B>', link: 'https://x.com/?a=1&b=2' },
    })
    expect(mail.subject).toBe('Hi A & <B>')
    expect(mail.html).toContain('<p title="A &amp; &lt;B&gt;">Hi A &amp; &lt;B&gt;, none</p>')
    expect(mail.html).toContain('href="https://x.com/?a=1&amp;b=2"')
    expect(mail.text?.trim()).toBe('Hi A & <B>, none\n\nGo <https://x.com/?a=1&b=2>')
  })

  describe('conditional parts', () => {
    const content = '<p>Hi</p>\n{{#if plan == "pro"}}<p>Pro {{name}}.</p>{{else}}<p>Free {{name}} </p>{{/if}}'

    it('HTMLMODE-09 each recipient gets the branch that holds for them, in HTML and in text', async () => {
      const context = { name: 'A&B' }
      for (const plan of ['pro', 'PRO']) {
        const mail = await read({ content, context, own: { plan } })
        expect(mail.html).toBe('<p>Hi</p>\n<p>Pro A&amp;B.</p>')
        expect(mail.text?.trim()).toBe('Hi\n\nPro A&B.')
      }
      for (const own of [{ plan: 'free' }, { plan: '' }, {}]) {
        const mail = await read({ content, context, own })
        expect(mail.html).toBe('<p>Hi</p>\n<p>Free A&amp;B </p>')
        expect(mail.text?.trim()).toBe('Hi\n\nFree A&B')
      }
    })

    it('may end the mail, have an empty branch and end with a blank', async () => {
      const end = async (text: string, own: MergeContext) => (await read({ content: text, own })).html
      expect(await end('<p>a</p>{{#if x}}<b>1</b> {{else}}{{/if}}', { x: 1 })).toBe('<p>a</p><b>1</b> ')
      expect(await end('<p>a</p>{{#if x}}<b>1</b> {{else}}{{/if}}', {})).toBe('<p>a</p>')
      expect(await end('{{#if x}}1{{/if}}<p>.</p>{{#if y}}{{y}} {{else}}2 {{/if}}', { y: 'z' })).toBe('<p>.</p>z ')
      expect(await end('{{#if x}}1{{/if}}<p>.</p>{{#if y}}{{y}} {{else}}2 {{/if}}', {})).toBe('<p>.</p>2 ')
    })

    it('decide in the subject, also by values of the message', async () => {
      const subject = 'News{{#if name}} for {{name}}{{/if}}'
      expect((await read({ subject, context: { name: 'Ann' } })).subject).toBe('News for Ann')
      expect((await read({ subject, own: { name: '' }, context: { name: 'Ann' } })).subject).toBe('News')
    })

    it('whose border is only in a comment of the HTML always show in the text', async () => {
      const broken = '<!-- {{#if x}} --><p>A</p>{{else}}<p>B</p>{{/if}}'
      expect((await read({ content: broken, own: {} })).text?.trim()).toContain('A')
    })
  })

  it('a recipient’s own values override those of the message', async () => {
    const mail = await read({ subject: '{{a}}{{b}}', context: { a: '1', b: '2' }, own: { b: '3' } })
    expect(mail.subject).toBe('13')
  })

  it('AUDIENCE-10 takes values of a column in another spelling, the recipient’s own before the shared one', async () => {
    const mail = await read({
      subject: '{{vorname}} {{Ort}} {{PLZ | default: "0"}}',
      context: { VORNAME: 'shared', ort: 'Ulm' },
      own: { Vorname: 'Ada' },
    })
    expect(mail.subject).toBe('Ada Ulm 0')
  })

  it('H34 escapes a value with markup or braces', async () => {
    const mail = await read({
      content: '<p>{{x}}{{{x}}}</p>',
      context: { x: '<script>alert(1)</script>{{secret}}', secret: 's3' },
    })
    expect(mail.html).not.toContain('<script')
    expect(`${mail.html as string}${mail.text ?? ''}`).not.toContain('s3')
  })

  it.each([
    ['a line break', 'a\r\nBcc: e@e.com'],
    ['bare line feeds', 'a\nX-Evil: 1\n\nbody'],
    ['other controls', 'a\u2028b\0c'],
    ['nothing but letters beyond ASCII', 'é'.repeat(900)],
    ['no blank to fold at', 'x'.repeat(998)],
    ['many words', 'word '.repeat(199)],
    ['an encoded word', '=?utf-8?Q?Hi?='],
    ['an encoded line break', '=?utf-8?B?SGkNCkJjYzogZUBlLmNvbQ==?='],
    ['bidi controls and emoji', '\u202eevil\u202c ☃ 日本語 🎉'],
    ['blanks around and inside', '  spaced   out  '],
    ['an address list', '"quoted" <a@x.com>, b@y.com'],
  ])('H31 a subject with %s is one header that decodes to the same text', async (_what, value) => {
    for (const given of [{ subject: '{{s}}', context: { s: value } }, { subject: value.replace(/[\r\n]/g, ' ') }]) {
      const raw = build(given)
      expect(headerNames(raw)).toEqual(headerNames(build({})))
      expect(Math.max(...linesOf(raw).map((line) => line.length))).toBeLessThanOrEqual(998)
      const { subject } = await simpleParser(raw)
      const squeeze = (text = '') => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
      expect(squeeze(subject)).toBe(squeeze(value))
    }
  })

  it('H32 non-text content is never treated as a file or a URL to load', () => {
    for (const content of [{ path: '/etc/passwd' }, { href: 'http://169.254.169.254/' }, 7]) {
      expect(() => compileMessage(messageContent({ content: content as unknown as string }))).toThrow(TypeError)
    }
  })

  it.each([true, false])('H33 lines stay below 998 bytes and contain no bare CR or LF (HTML: %s)', async (isHtml) => {
    for (const content of [
      'x'.repeat(1024 * 1024),
      'é'.repeat(300_000),
      'a\rb\nc\r\nd\n.\ne\r.\rf\r\n.\r\nMAIL FROM:<e@e.com>',
      `.\r\n..\r\n${'. '.repeat(600)}`,
    ]) {
      const raw = build({ isHtml, content })
      const text = raw.toString('latin1')
      expect(Math.max(...linesOf(raw).map((line) => line.length))).toBeLessThanOrEqual(998)
      expect(text.replace(/\r\n/g, '')).not.toMatch(/[\r\n]/)
      expect(text).toMatch(/^[\x20-\x7e\t\r\n]+$/)
      const mail = await simpleParser(raw)
      const unified = content.replace(/\r\n|\r/g, '\n')
      expect((isHtml ? mail.html || '' : (mail.text ?? '')).trim()).toBe(unified.trim())
    }
  })

  it('any text decodes unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async (content) => {
        fc.pre(!content.includes('{{') && content.isWellFormed() && content.trim() !== '')
        const mail = await read({ isHtml: false, content })
        expect(mail.text?.trimEnd()).toBe(content.replace(/\r\n|\r/g, '\n').trimEnd())
      }),
      { numRuns: 200 },
    )
  })

  it('a non-ASCII address is in the header unchanged', async () => {
    const mail = await read({ to: 'jürgen@xn--bcher-kva.example' })
    expect([mail.to].flat()[0]?.value[0]?.address).toMatch(/^jürgen@/)
  })

  it('the sandbox’s own address gets a Message-ID too', async () => {
    expect((await read({ fromAddress: 'sandbox@localhost' })).messageId).toBe('<0190a1b2.7@localhost>')
  })
})

describe('the text of an HTML mail', () => {
  it('distinguishes variables from private-use characters in the HTML', async () => {
    const mail = await read({ content: '<p>\uE0000\uE001 {{a}}</p>', context: { a: '\uE0001\uE001' } })
    expect(mail.text?.trim()).toBe('0 \uE0001\uE001')
  })

  it.each([
    ['nested elements', '<b>'.repeat(300_000)],
    ['nested tables', '<table><tr><td>'.repeat(60_000)],
    ['lists', `<ol>${'<li>x'.repeat(190_000)}`],
    ['angle brackets', '<'.repeat(1_000_000)],
    ['open quotes', '<a href="'.repeat(100_000)],
    ['blanks', ' '.repeat(1_000_000)],
  ])('converts a megabyte of %s in bounded time', (_what, content) => {
    expect(build({ content: `${content}end` })).toBeInstanceOf(Buffer)
  })
})

describe('headers and variables of the server', () => {
  const extraHeaders = [
    { name: 'List-Unsubscribe', value: '<{{unsubscribe_url}}>' },
    { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
  ]
  const unsubscribe_url = ({ id }: { id: number }) => `https://mail.example.com/u/${id}?a=1&b=2`

  it('fill headers and texts of each mail; a context cannot override them', async () => {
    const content = '<a href="{{unsubscribe_url}}">Leave</a>'
    const template = compileMessage(
      messageContent({ content, extraHeaders, context: { unsubscribe_url: 'https://e.com' } }),
      {
        unsubscribe_url,
      },
    )
    const { bytes: raw } = template.build(
      { id: 7, recipient: 'bob@example.com', context: { unsubscribe_url: 'x' } },
      date,
    )
    const mail = await simpleParser(raw)
    expect(headersOf(raw)).toContain('\r\nList-Unsubscribe: <https://mail.example.com/u/7?a=1&b=2>\r\n')
    expect(headersOf(raw)).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(mail.html).toContain('href="https://mail.example.com/u/7?a=1&amp;b=2"')
    expect(mail.text).toContain('https://mail.example.com/u/7?a=1&b=2')
  })

  it('are not computed for a mail that does not use them', () => {
    const template = compileMessage(messageContent(), {
      unsubscribe_url: () => {
        throw new Error('asked')
      },
    })
    template.build({ id: 7, recipient: 'bob@example.com', context: null }, date)
  })
})
