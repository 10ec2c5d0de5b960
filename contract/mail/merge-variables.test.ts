import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  escapeHeader,
  escapeHtml,
  fillTemplate,
  mergeContexts,
  MergeSyntaxError,
  parseTemplate,
  readTemplate,
  unfilledVariables,
  variableKey,
  variablesOf,
  type MergeContext,
} from './merge-variables.ts'

const fill = (text: string, context: MergeContext = {}, escape?: (value: string) => string) =>
  fillTemplate(parseTemplate(text), context, escape)

function syntaxErrorOf(text: string): MergeSyntaxError {
  try {
    parseTemplate(text)
  } catch (error) {
    if (error instanceof MergeSyntaxError) return error
  }
  throw new Error('No MergeSyntaxError was thrown')
}

describe('merge variables', () => {
  it.each<[template: string, context: MergeContext, filled: string]>([
    ['Hi {{name}}!', { name: 'Ann' }, 'Hi Ann!'],
    ['Hi {{ name }}!', { name: 'Ann' }, 'Hi Ann!'],
    ['{{a}}{{b}}{{a}}', { a: 1, b: true }, '1true1'],
    ['{{first-name}} {{order.id}} {{größe}}', { 'first-name': 'A', 'order.id': 7, größe: 'L' }, 'A 7 L'],
    ['Hi {{name}}!', {}, 'Hi !'],
    ['Hi {{name | default: "there"}}!', {}, 'Hi there!'],
    ["Hi {{name|default:'there'}}!", {}, 'Hi there!'],
    ['{{count | default: 0}}', {}, '0'],
    ['Hi {{name | default: "there"}}!', { name: '' }, 'Hi !'],
    ['{{{name}}} {{&name}} {{& name}}', { name: 'Ann' }, 'Ann Ann Ann'],
    [String.raw`\{{name}} {{name}}`, { name: 'Ann' }, '{{name}} Ann'],
    [String.raw`{{name}}\{{{name}}`, { name: 'Ann' }, 'Ann{{{name}}'],
    ['@media x{.a{color:red}}', {}, '@media x{.a{color:red}}'],
    ['}} and { } stay', {}, '}} and { } stay'],
    ['', {}, ''],
  ])('API-PUBLIC-10 %j with %j gives %j', (template, context, filled) => {
    expect(fill(template, context)).toBe(filled)
  })

  it('H34 a value is escaped in HTML, in every spelling of a variable, and so is a fallback', () => {
    const hostile = `<script>alert("1")</script>&'`
    const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;'
    for (const template of ['{{x}}', '{{{x}}}', '{{&x}}']) {
      expect(fill(template, { x: hostile }, escapeHtml)).toBe(escaped)
    }
    expect(fill('{{y | default: "<b>"}}', {}, escapeHtml)).toBe('&lt;b&gt;')
    expect(fill('<b>{{x}}</b>', { x: 'a' }, escapeHtml)).toBe('<b>a</b>')
  })

  it('H34 a value that holds braces is not read again', () => {
    expect(fill('{{x}} {{secret}}', { x: '{{secret}}', secret: 's' })).toBe('{{secret}} s')
    expect(fill('{{x}}{{y}}', { x: '{{', y: 'secret}}', secret: 's' })).toBe('{{secret}}')
  })

  it('H34 names of the language’s own objects are unknown variables', () => {
    for (const name of ['__proto__', '__proto__.y', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(fill(`[{{${name}}}]`)).toBe('[]')
    }
    const parsed = JSON.parse('{"__proto__": "own", "constructor": "mine"}') as MergeContext
    expect(fill('{{__proto__}} {{constructor}}', { ...parsed })).toBe('own mine')
  })

  it('H34 ten thousand variables in a megabyte are filled in one pass', () => {
    const filled = fill(`${'x'.repeat(100)}{{a}}`.repeat(10_000), { a: '{{a}}' })
    expect(filled).toHaveLength(10_000 * 105)
  })

  it('H34 a value with line breaks or controls stays on its header line', () => {
    expect(fill('Hi {{x}}', { x: 'a\r\nBcc: e@e.com\0\u2028b' }, escapeHeader)).toBe('Hi a Bcc: e@e.com b')
  })

  it.each([
    ['Hi {{name', 1, 4, /no “}}”/],
    ['a\nb {{x}} {{y', 2, 9, /no “}}”/],
    ['{{{x}}', 1, 1, /no “}}}”/],
    ['line\n\n  {{a b}}', 3, 3, /not a merge variable/],
    ['{{}}', 1, 1, /not a merge variable/],
    ['{{#each x}}', 1, 1, /not a merge variable/],
    ['{{1st}}', 1, 1, /not a merge variable/],
    ['{{x | upper}}', 1, 1, /not a merge variable/],
    ['{{x()}}', 1, 1, /not a merge variable/],
  ])('%j names line %i, column %i', (template, line, column, words) => {
    const error = syntaxErrorOf(template)
    expect([error.line, error.column]).toEqual([line, column])
    expect(error.message).toMatch(words)
    expect(error.message).toContain(`Line ${line}, column ${column}`)
  })

  it.each<[template: string, filled: string]>([
    ['Hi {{a}} {{fi', 'Hi 1 {{fi'],
    ['{{a}} {{', '1 {{'],
    ['{{fi {{a}}', '{{fi 1'],
    ['{{a b}} {{a}}', '{{a b}} 1'],
    ['{{{a}} {{a}}', '{{{a}} 1'],
    ['{{{a {{{a}}}', '{{{a 1'],
  ])('%j is filled but for what cannot be read, where that is asked for', (template, filled) => {
    const problems: string[] = []
    const parts = readTemplate(template, ({ message }) => problems.push(message))
    expect(fillTemplate(parts, { a: 1 })).toBe(filled)
    expect(problems).toEqual([syntaxErrorOf(template).message])
  })

  it('is quoted with up to 40 characters in the sentence about it', () => {
    const sentenceOf = (chars: number) => syntaxErrorOf(`{{1${'a'.repeat(chars - 1)}}}`).message
    expect(sentenceOf(40)).toContain(`“{{1${'a'.repeat(39)}}}” is not a merge variable`)
    expect(sentenceOf(41)).toContain(`“{{1${'a'.repeat(39)}…}}” is not a merge variable`)
  })

  it('names those that come out empty: without a value and without a fallback', () => {
    const parts = parseTemplate('{{a}} {{b | default: "x"}} {{c}} {{a}} {{toString}}')
    expect(unfilledVariables(parts, { c: '' })).toEqual(['a', 'toString'])
  })

  it('AUDIENCE-10 a column Vorname fills {{Vorname}} and {{vorname}}: case, accents, blanks and punctuation make no difference', () => {
    expect(fill('{{Vorname}} {{vorname}}', { Vorname: 'Ada' })).toBe('Ada Ada')
    expect(fill('{{first_name}} {{FirstName}} {{prenom}}', { 'First Name': 'Ada', Prénom: 'Zoé' })).toBe('Ada Ada Zoé')
    expect(fill('{{name}} {{Name}}', { Name: 'own spelling', name: 'first' })).toBe('first own spelling')
    expect(unfilledVariables(parseTemplate('{{Vorname}} {{ort}}'), { vorname: 'Ada' })).toEqual(['ort'])
    expect(variableKey('Straße Nº 2')).toBe(variableKey('straße nº 2'))
  })

  it('a name of punctuation alone is only its own spelling', () => {
    expect(fill('{{_}} {{__}}', { __: 'two' })).toBe(' two')
  })

  it('an own value wins over a shared one in another spelling', () => {
    expect(mergeContexts({ Name: 'shared', city: 'Oslo' }, { name: 'own' })).toEqual({ city: 'Oslo', name: 'own' })
    expect(mergeContexts({ name: 'shared' }, null)).toEqual({ name: 'shared' })
  })

  it('lists each variable once, in order', () => {
    expect(variablesOf(parseTemplate('{{b}} {{a}} {{b | default: "x"}}'))).toEqual(['b', 'a'])
  })

  it('text without braces comes back as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(!text.includes('{{'))
        expect(fill(text, { a: 'b' })).toBe(text)
      }),
    )
  })

  it('a value comes through whole, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (value, around) => {
        fc.pre(!around.includes('{') && !around.includes('}') && !around.includes('\\'))
        expect(fill(`${around}{{v}}${around}`, { v: value })).toBe(`${around}${value}${around}`)
      }),
    )
  })

  it('escaped HTML holds none of the characters that end text or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(escapeHtml(value)).not.toMatch(/[<>"']/)
      }),
    )
  })
})
