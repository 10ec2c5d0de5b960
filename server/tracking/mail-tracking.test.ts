import { createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { escapeHtml, fillParts, nameIn, type MergeContext } from '../../contract/mail/merge-variables.ts'
import { conditionHolds } from '../../contract/mail/merge-conditions.ts'
import type { MailValues, MessageContent } from '../domain/messages/delivery.ts'
import { readClick, readOpen } from './link.ts'
import { createMailTracking } from './mail-tracking.ts'

const key = createSecretKey(randomBytes(32))
const tracking = createMailTracking({ mailKey: () => key, publicUrl: 'https://mail.example.com' })
const delivery = { id: 42, month: '2026-11-01', recipient: 'ada@example.org' }

function messageOf(content: string, links: Partial<NonNullable<MessageContent['links']>> = {}): MessageContent {
  return {
    id: randomUUID(),
    workspaceId: randomUUID(),
    campaignId: null,
    fromAddress: 'me@example.com',
    subject: '',
    content,
    isHtml: true,
    context: {},
    extraHeaders: [],
    fromName: null,
    replyTo: null,
    textPart: null,
    group: null,
    links: { workspaceNo: 1, tracking: 'identified', base: 'https://t.example.com', keyId: null, utm: {}, ...links },
  }
}

/** The HTML that a recipient with these values gets. */
async function mailOf(message: MessageContent, context: MergeContext = {}, to: object = {}): Promise<string> {
  const tracked = await tracking.track(message)
  if (tracked === null) return message.content
  const variables = { ...tracking.variables, ...tracked.variables }
  const valueOf = (name: string): string | number | boolean | undefined => {
    if (Object.hasOwn(variables, name)) return variables[name]?.({ ...delivery, ...to }, message, values)
    const own = nameIn(context, name)
    return own === undefined ? undefined : context[own]
  }
  const values: MailValues = {
    read: ({ name, fallback }) => String(valueOf(name) ?? fallback),
    holds: (condition) => conditionHolds(condition, valueOf(condition.name)),
  }
  return fillParts(tracked.html, (variable) => escapeHtml(values.read(variable)), values.holds)
}

const linksOf = (html: string): string[] => {
  const found: string[] = []
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === 'a' && href !== undefined) found.push(href)
    },
  })
  parser.end(html)
  return found
}
/** Where a link leads: through the redirect if it is tracked. */
const follow = (href: string): string => {
  if (!href.startsWith('https://t.example.com/c/')) return href
  const { pathname, search } = new URL(href)
  return readClick([key], pathname, search.slice(1))?.url ?? 'refused'
}
const pixelsOf = (html: string) =>
  [...html.matchAll(/<img src="(https:\/\/t\.example\.com\/o\/[^"]*)"/g)].map(([, src]) => src ?? '')
const isTracked = (html: string) => html.includes('https://t.example.com/c/')

describe('the links of a tracked mail', () => {
  it('TRACKING-03 A body without </body>, with <base> or with broken HTML still gets the pixel once, and each of its links leads where it led as written', async () => {
    const bodies = [
      '<p><a href="https://a.example/">a</a>',
      '<html><head><base href="https://base.example/"></head><body><a href="x">a</a><a href="https://a.example">b</a></body></html>',
      "<a href=https://a.example/x?y=1&amp;z=2>a<b></a><table><tr><a href='https://b.example/?q=\"&quot;'>b",
      '<p>text</p><!-- never closed <a href="https://a.example/">a</a> </body>',
      '<a href="https://a.example/">a</a><style>p{} </body>',
      '<a href="https://a.example/">a</a></body></html></body>',
      '<a href="https://a.example/">a</a><a href="https://cut.example/',
      '<!-- </body> --><a href="  https://a.exa\nmple/\t">a</a>',
      '<a href="https://a.example/" href="https://second.example/">a</a>',
      '',
    ]
    for (const body of bodies) {
      const html = await mailOf(messageOf(body))
      const clean = (href: string) => href.replaceAll(/[\t\n]/g, '').trim()
      expect(linksOf(html).map(follow)).toEqual(linksOf(body).map(clean))
      const [pixel = '', ...more] = pixelsOf(html)
      expect([more, readOpen([key], new URL(pixel).pathname)?.deliveryId]).toEqual([[], 42])
      // It is an element of the document, not part of a comment or of a style sheet.
      let images = 0
      new Parser({
        onopentag(name) {
          if (name === 'img') images++
        },
      }).end(html)
      expect(images).toBe(1)
    }
  })

  it('TRACKING-15 mailto:, tel:, #…, unsubscribe and preference links, links with data-track="off" and links to the product’s own file hosts are not rewritten', async () => {
    const body = [
      'mailto:a@b.example',
      'tel:+123',
      '#top',
      '{{unsubscribe_url}}',
      '{{ preferences_url }}',
      'mailto:{{name}}@b.example',
      '#{{name}}',
      'https://mail.example.com/files/report.pdf',
      'https://t.example.com/x',
      'ftp://a.example/',
      'javascript:alert(1)',
      '//a.example/',
      'relative',
      '" data-track="off',
    ]
      .map((href) => `<a href="${href}">x</a>`)
      .join('')
    const off = '<a data-track="OFF" href="https://a.example/">x</a><a href="https://b.example/" data-track=off>x</a>'
    const html = await mailOf(messageOf(body + off))
    expect(isTracked(html)).toBe(false)
    expect(pixelsOf(html)).toHaveLength(1)
    expect(
      linksOf(html).filter((href) => href.includes('/unsubscribe/') || href.includes('/preferences/')),
    ).toHaveLength(2)
  })

  it('TRACKING-16 A link of more than 2,048 characters stands in the mail as written', async () => {
    const at = (length: number) => `https://a.example/${'x'.repeat(length - 'https://a.example/'.length)}`
    const html = await mailOf(messageOf(`<a href="${at(2048)}">a</a><a href="${at(2049)}">b</a>`))
    const [first = '', second] = linksOf(html)
    expect(follow(first)).toBe(at(2048))
    expect(first).not.toBe(at(2048))
    expect(second).toBe(at(2049))
  })

  it('TRACKING-19 A link with a merge variable, in its host too, leads each recipient to the address filled for that recipient and to no other', async () => {
    const message = messageOf(
      '<a href="https://{{shop}}.example/?id={{id}}&amp;n={{name | default: "you"}}">a</a><a href="{{link}}">b</a>' +
        '<a href="https://a.example/{{#if id}}member{{else}}guest{{/if}}">c</a>',
    )
    const ada = await mailOf(message, { shop: 'ada', id: 'a&b"', link: 'https://x.example/' })
    expect(linksOf(ada).map(follow)).toEqual([
      'https://ada.example/?id=a&b"&n=you',
      'https://x.example/',
      'https://a.example/member',
    ])
    const bob = await mailOf(message, { shop: 'bob', link: 'javascript:alert(1)' }, { id: 43 })
    expect(linksOf(bob).map(follow)).toEqual([
      'https://bob.example/?id=&n=you',
      'javascript:alert(1)',
      'https://a.example/guest',
    ])
    // The link part of one recipient is not valid with the destination of another.
    const [ofAda = '', ofBob = ''] = [linksOf(ada)[0], linksOf(bob)[0]]
    const mixed = `${ofAda.slice(0, ofAda.indexOf('?'))}${ofBob.slice(ofBob.indexOf('?'))}`
    expect(follow(mixed)).toBe('refused')
  })

  it('TRACKING-20 In a body with 10,000 links the first 500 are tracked and the others stand as written; one link that stands 300 times redirects at each place', async () => {
    const body = '<a href="https://same.example/">x</a>\n'.repeat(300)
    const more = Array.from({ length: 9700 }, (_, at) => `<a href="https://a.example/${at}">x</a>\n`).join('')
    const message = messageOf(body + more)
    const hrefs = linksOf(await mailOf(message))
    expect(hrefs).toHaveLength(10_000)
    expect(hrefs.findLastIndex((href) => href.startsWith('https://t.example.com/'))).toBe(499)
    expect(hrefs.map(follow)).toEqual(linksOf(message.content))
  })

  it('TRACKING-21 UTM parameters of the campaign are added to links that lack them; a parameter that the author wrote keeps its value', async () => {
    // The database returns an object's names by length.
    const utm = { medium: 'email', source: 'news letter', campaign: '' }
    const body =
      '<a href="https://a.example/">a</a><a href="https://a.example/?utm_source=own&amp;x=%20#part">b</a><a href="https://a.example/{{id}}">c</a>'
    const html = await mailOf(messageOf(body, { utm }), { id: '7' })
    expect(linksOf(html).map(follow)).toEqual([
      'https://a.example/?utm_source=news%20letter&utm_medium=email',
      'https://a.example/?utm_source=own&x=%20&utm_medium=email#part',
      'https://a.example/7?utm_source=news%20letter&utm_medium=email',
    ])
  })

  it('UTM parameters are left out of a link that they would make longer than 2,048 characters', async () => {
    const long = `https://a.example/${'x'.repeat(2010)}`
    const html = await mailOf(messageOf(`<a href="${long}">a</a>`, { utm: { source: 'newsletter' } }))
    const [first = ''] = linksOf(html)
    expect(first).not.toBe(long)
    expect(follow(first)).toBe(long)
  })

  it('TRACKING-12 No tracking link contains a recipient’s address or name, readable or base64-encoded', async () => {
    const html = await mailOf(messageOf('<a href="https://a.example/">a</a>'), { name: 'Ada Lovelace' })
    const texts = [...linksOf(html), ...pixelsOf(html)]
    expect(texts).toHaveLength(2)
    for (const text of texts) {
      const decoded = text.split(/[^\w-]+/).map((piece) => Buffer.from(piece, 'base64url').toString('latin1'))
      for (const secret of ['ada@example.org', 'Ada', 'Lovelace', 'example.org'])
        for (const one of [text, decodeURIComponent(text), ...decoded]) expect(one).not.toContain(secret)
    }
  })

  it('name no delivery in mode counts, for the whole message or one recipient', async () => {
    const body = '<a href="https://a.example/">a</a>'
    const counted = [
      await mailOf(messageOf(body, { tracking: 'counts' })),
      await mailOf(messageOf(body), {}, { tracking: 'counts' }),
    ]
    for (const html of counted) {
      const { pathname, search } = new URL(linksOf(html)[0] ?? '')
      expect(readClick([key], pathname, search.slice(1))?.mail.deliveryId).toBe(0)
      expect(readOpen([key], new URL(pixelsOf(html)[0] ?? '').pathname)?.deliveryId).toBe(0)
    }
  })

  it('are numbered by their place and listed with their text', async () => {
    const tracked = await tracking.track(
      messageOf(
        '<a href="#x">no</a><a href="https://a.example/?a=1&amp;b">Read\n <b>more</b> &amp; more</a><a href="https://b.example/{{id}}"><img src="x"></a>',
      ),
    )
    expect(tracked?.links).toEqual([
      { no: 1, url: 'https://a.example/?a=1&b', label: 'Read more & more' },
      { no: 2, url: 'https://b.example/{{id}}', label: '' },
    ])
  })

  it('stay as written with tracking off and in plain text', async () => {
    expect(await tracking.track(messageOf('<a href="https://a.example/">a</a>', { tracking: 'off' }))).toBeNull()
    expect(await tracking.track({ ...messageOf('https://a.example/'), isHtml: false })).toBeNull()
  })

  it('of random texts keep every other character of the body', async () => {
    const pieces = [
      '<a href="https://a.example/">',
      '</a>',
      "<a href='",
      '"',
      "'",
      '>',
      '<!--',
      '-->',
      '<style>',
      '</style>',
      '</body>',
      ' href=https://b.example/ ',
      '{{x}}',
      '{{#if x}}',
      '{{/if}}',
      '&amp;',
      'text',
      '\n',
      '<',
      '\uE000',
      '<title>',
    ]
    let seed = 7
    const random = (max: number) => (seed = (seed * 48_271) % 2_147_483_647) % max
    for (let round = 0; round < 1000; round++) {
      const body = Array.from({ length: random(14) }, () => pieces[random(pieces.length)]).join('')
      const message = messageOf(body)
      const tracked = await tracking.track(message).catch(() => null)
      if (tracked === null) continue // The template has a fault that its author sees.
      const html = await mailOf(message, { x: 'v' })
      expect(pixelsOf(html).length).toBe(body.includes('{{#if') ? pixelsOf(html).length : 1)
      const back = html
        .replaceAll(/<img src="https:\/\/t\.example\.com\/o\/[^>]*>/g, '')
        .replaceAll(/https:\/\/t\.example\.com\/c\/[^\s"'>]*/g, follow)
      const plain = (text: string) =>
        text
          .replaceAll('&quot;', '"')
          .replaceAll('&#39;', "'")
          .replaceAll(/&[lg]t;|[<>]/g, '<')
          .replaceAll('&amp;', '&')
      const filled = body.replaceAll('{{x}}', 'v').replaceAll(/\{\{#if x\}\}|\{\{\/if\}\}/g, '')
      expect(plain(back)).toBe(plain(filled))
    }
  })
})
