import { describe, expect, it } from 'vitest'
import { createTemplateSearch, textOfHtml } from './template-search.ts'

const row = (subject: string, body = '', context: string[] = []) => ({
  name: subject,
  key: '',
  category: '',
  subject,
  body,
  context,
})
const rows = [row('Autumn show', '<p>Doors open</p>', ['place']), row('Invoice', '<b class="show">Sum</b>', ['number'])]
const subjects = (query: string) =>
  createTemplateSearch<(typeof rows)[number]>()
    .find(rows, query)
    .map(({ subject }) => subject)

describe('the search', () => {
  it.each([
    ['', ['Autumn show', 'Invoice']],
    ['  ', ['Autumn show', 'Invoice']],
    ['AUTUMN', ['Autumn show']],
    ['open autumn', ['Autumn show']],
    ['number', ['Invoice']],
    ['nothing', []],
    // A class is markup, not visible text.
    ['show', ['Autumn show']],
  ])('%j finds %j', (query, found) => {
    expect(subjects(query)).toEqual(found)
  })

  it('has the same results letter by letter, forwards and backwards', () => {
    const search = createTemplateSearch<(typeof rows)[number]>()
    for (const query of ['i', 'in', 'inv', 'in', 'i', 'ix', 'i', '']) {
      expect(search.find(rows, query).map(({ subject }) => subject)).toEqual(subjects(query))
    }
  })

  it('searches other rows when they have changed', () => {
    const search = createTemplateSearch<(typeof rows)[number]>()
    expect(search.find(rows, 'in')).toHaveLength(1)
    expect(search.find([...rows, row('Inbox')], 'inb')).toHaveLength(1)
  })

  it('indexes ahead within its time limit', () => {
    const many = Array.from({ length: 2000 }, () => row('x', '<p>y</p>'.repeat(500)))
    const search = createTemplateSearch<(typeof rows)[number]>()
    expect(search.prepare(many, 0)).toBe(false)
    expect(search.prepare(many.slice(0, 3), 10_000)).toBe(true)
  })
})

describe('the text of HTML', () => {
  it.each([
    ['<p>a &amp; b</p>', 'a & b'],
    ['<style>p { color: red }</style><p>x</p>', 'x'],
    ['<STYLE>x</STYLE><title>t</title><span>s</span>', 's'],
    ['<!-- <p>no</p> --><p>yes</p>', 'yes'],
    ['1 < 2', '1'],
    ['<p unclosed', ''],
    ['<style>never closed', ''],
    ['plain', 'plain'],
  ])('%j is %j', (html, text) => {
    expect(textOfHtml(html).replace(/\s+/g, ' ').trim()).toBe(text)
  })
})
