import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Window } from 'happy-dom'
import { beforeAll, describe, expect, it } from 'vitest'
import { fillTemplate, isVariable, parseTemplate, type MergeVariable } from '../../contract/mail/merge-variables.ts'
import { catalogue } from '../../library/catalogue.ts'
import type { LibraryTemplate } from '../../library/template.ts'
import { renderHtml } from '../../mail-design/render-html.ts'
import { renderText } from '../../mail-design/render-text.ts'
import { mailFaults } from '../../tests/support/mail-rules.ts'
import { buildLibrary } from './library.ts'

let library: LibraryTemplate[]

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sendwright-library-'))
  try {
    await buildLibrary(folder)
    library = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as LibraryTemplate[]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** Texts that a mail client shows, without blanks, and the links. */
function wordsAndLinks(html: string): { words: string; links: string[] } {
  const window = new Window()
  try {
    const { body } = new window.DOMParser().parseFromString(html, 'text/html')
    for (const hidden of body.querySelectorAll('[style*="display:none"]')) hidden.remove()
    const links = [...body.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
    return { words: body.textContent.replaceAll(/\s+/g, ''), links }
  } finally {
    window.close()
  }
}

/** Values that the server fills in for every mail: they need no default. */
const filledByTheServer = ['unsubscribe_url', 'postal_address']

describe('the library of global templates', () => {
  it('has templates for the common uses', () => {
    expect(library.length).toBeGreaterThanOrEqual(24)
    expect(library.map(({ data }) => data.key)).toEqual(
      expect.arrayContaining([
        ...['welcome', 'confirm-address', 'receipt', 'shipping-notice', 'password-reset', 'invoice', 'product-launch'],
        ...['newsletter-broadsheet', 'newsletter-magazine', 'newsletter-five', 'sale', 'abandoned-basket', 'survey'],
        ...['event-invitation', 'event-reminder', 're-engagement', 'referral', 'birthday', 'webinar', 'changelog'],
        ...['digest', 'appointment', 'thank-you', 'holiday-greeting', 'plain-letter'],
      ]),
    )
  })

  it('has unique template names', () => {
    for (const field of ['key', 'name', 'description', 'version'] as const) {
      const values = library.map(({ data }) => data[field])
      expect(new Set(values).size).toBe(values.length)
    }
  })
})

describe.each(catalogue)('the template $slug', ({ slug, kind }) => {
  const template = () => library.find(({ data }) => data.key === slug)!
  const parts = (): MergeVariable[] => {
    const { subject, body, text } = template().data
    return [subject, body, text].flatMap(parseTemplate).filter(isVariable)
  }

  it('satisfies the rules for mail clients', () => {
    expect(mailFaults(template().data.body)).toEqual([])
  })

  it('has a design that satisfies the rules for mail clients and shows no code as text', () => {
    const { design } = template().data
    expect(mailFaults(renderHtml(design))).toEqual([])
    const code = JSON.stringify(design).match(/"html":"(?:[^"\\]|\\.)*"/g) ?? []
    for (const html of code) expect(html.replaceAll(/<style>[^<]*<\/style>|<[^<>]*>/g, '')).toBe('"html":""')
  })

  it('CANVAS-17 has the text, variables and links in its design that it has in its HTML', () => {
    const { design, body, sample } = template().data
    const html = renderHtml(design)
    const fill = (text: string) => fillTemplate(parseTemplate(text), sample)
    expect(wordsAndLinks(fill(html))).toEqual(wordsAndLinks(fill(body)))
    const variables = (text: string) =>
      parseTemplate(text)
        .filter(isVariable)
        .map((part) => JSON.stringify(part))
    const [inDesign, inBody] = [variables(html), variables(body)]
    expect([...new Set(inDesign)].sort()).toEqual([...new Set(inBody)].sort())
    const text = fill(renderText(design))
    for (const link of wordsAndLinks(fill(body)).links) expect(text).toContain(`<${link}>`)
  })

  it('is a valid document of the hosted collection', () => {
    const { id, data } = template()
    expect(id).toBe(`global-${slug}`)
    expect(data.name.length).toBeLessThanOrEqual(24)
    expect(data.description).toMatch(/^[A-Z].{20,130}\.$/)
    expect(fillTemplate(parseTemplate(data.subject), data.sample).length).toBeLessThanOrEqual(60)
    expect(data.version).toMatch(/^[0-9a-f]{16}$/)
  })

  it('renders readable text when a variable has no value', () => {
    const names = new Set(parts().flatMap(({ name, fallback }) => (fallback === '' ? [name] : [])))
    // Optional parts: rows of a list, pictures behind a heading.
    const optional =
      /^(?:(?:item|line)_\d(?:_price|_amount)?|customer_address|tax_rate|tagline|.*_image_url|\w+_count)$/
    expect([...names].filter((name) => !filledByTheServer.includes(name) && !optional.test(name))).toEqual([])
    const subject = fillTemplate(parseTemplate(template().data.subject), {})
    expect(subject).toMatch(/^\S+( \S+)*$/)
  })

  it('has a sample value for each variable and for nothing else', () => {
    const { context, sample } = template().data
    const names = parts().map(({ name }) => name)
    expect([...context].sort()).toEqual([...new Set(names)].sort())
    expect(Object.keys(sample).sort()).toEqual([...context].sort())
  })

  it('has an unsubscribe link and a postal address, in HTML and in text', () => {
    const { body, text } = template().data
    for (const side of [body, text]) {
      expect(side).toContain('{{postal_address}}')
      if (kind === 'marketing') expect(side).toContain('{{unsubscribe_url}}')
    }
    if (kind === 'marketing') expect(body).toMatch(/<a [^>]*href="\{\{unsubscribe_url\}\}"[^>]*>Unsubscribe<\/a>/)
  })

  it('loads nothing from the network', () => {
    const addresses = template().data.body.matchAll(/(?:https?:)?\/\/[^\s"'<>)]+/g)
    const known = /^https:\/\/example\.com\/|^http:\/\/www\.w3\.org\/|^\/\/example\.com\//
    expect([...addresses].map(([address]) => address).filter((address) => !known.test(address))).toEqual([])
    expect(template().data.body).not.toMatch(/\s(?:src|background|poster|srcset)="(?!\{\{)/)
  })

  it('has a readable plain text with every link of the HTML', () => {
    const { body, text, sample } = template().data
    expect(text).not.toMatch(/<\/?[a-z][^>]*>|&[a-z]+;|\t| \n|\n{4}/)
    const lines = text.split('\n')
    expect(lines.filter((line) => !line.includes('{{') && line.length > 76)).toEqual([])
    expect(lines.length).toBeGreaterThan(8)
    const filled = fillTemplate(parseTemplate(text), sample)
    for (const [, url] of fillTemplate(parseTemplate(body), sample).matchAll(/href="(https:[^"]+)"/g))
      expect(filled).toContain(url)
  })
})
