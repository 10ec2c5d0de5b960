import { describe, expect, it } from 'vitest'
import {
  fillTemplate,
  MergeSyntaxError,
  parseTemplate,
  readTemplate,
  unconditionalVariables,
  unfilledVariables,
  variablesOf,
  type MergeContext,
} from './merge-variables.ts'

const fill = (text: string, context: MergeContext = {}) => fillTemplate(parseTemplate(text), context)

function syntaxErrorOf(text: string): MergeSyntaxError {
  try {
    parseTemplate(text)
  } catch (error) {
    if (error instanceof MergeSyntaxError) return error
  }
  throw new Error('No MergeSyntaxError was thrown')
}

describe('conditional parts of a template', () => {
  it.each<[template: string, context: MergeContext, filled: string]>([
    ['{{#if name}}Hi {{name}}{{else}}Hello{{/if}}!', { name: 'Ann' }, 'Hi Ann!'],
    ['{{#if name}}Hi {{name}}{{else}}Hello{{/if}}!', { name: '' }, 'Hello!'],
    ['{{#if name}}Hi {{name}}{{else}}Hello{{/if}}!', {}, 'Hello!'],
    ['{{#if vip}}yes{{/if}}', { vip: false }, ''],
    ['{{#if vip}}yes{{/if}}', { vip: true }, 'yes'],
    ['{{#if count}}yes{{/if}}', { count: 0 }, 'yes'],
    ['{{#if vip == "false"}}no{{/if}}', { vip: false }, 'no'],
    ['a{{#if plan == "pro"}}P{{/if}}b', { plan: 'PRO' }, 'aPb'],
    ["a{{#if plan == 'Größe L'}}P{{/if}}b", { plan: 'größe l' }, 'aPb'],
    ['a{{#if plan == "pro"}}P{{/if}}b', { plan: 'free' }, 'ab'],
    ['a{{#if plan == "pro"}}P{{/if}}b', {}, 'ab'],
    ['a{{#if plan != "pro"}}P{{else}}Q{{/if}}b', {}, 'aPb'],
    ['a{{#if plan != "pro"}}P{{else}}Q{{/if}}b', { plan: 'Pro' }, 'aQb'],
    ['{{ #if a }}1{{ else }}2{{ /if }}{{#if b}}3{{/if}}', { b: 'x' }, '23'],
    ['{{#if constructor}}1{{/if}}', {}, ''],
    ['{{#if a}}{{/if}}', { a: 'x' }, ''],
  ])('%j with %j gives %j', (template, context, filled) => {
    expect(fill(template, context)).toBe(filled)
  })

  it.each([
    ['one\n  {{#if a}}x', 2, 3, /no \{\{\/if\}\}/],
    ['{{#if a}}x{{else}}y', 1, 1, /no \{\{\/if\}\}/],
    ['{{#if a}}{{#if b}}x{{/if}}{{/if}}', 1, 10, /cannot be inside another/],
    ['x{{/if}}', 1, 2, /“\{\{\/if\}\}” has no \{\{#if name\}\}/],
    ['x{{else}}', 1, 2, /“\{\{else\}\}” has no \{\{#if name\}\}/],
    ['{{#if a}}1{{else}}2{{else}}3{{/if}}', 1, 20, /one \{\{else\}\} only/],
    ['{{#if}}x{{/if}}', 1, 1, /not a condition.*\{\{#if name\}\}/],
    ['{{#if a = "b"}}x{{/if}}', 1, 1, /not a condition/],
  ])('%j is reported at line %i, column %i', (template, line, column, words) => {
    const error = syntaxErrorOf(template)
    expect([error.line, error.column]).toEqual([line, column])
    expect(error.message).toMatch(words)
  })

  it('an unpaired condition stays as text where only readable parts are filled', () => {
    const problems: string[] = []
    const read = (text: string) => readTemplate(text, ({ message }) => problems.push(message))
    expect(fillTemplate(read('{{a}} {{#if b}}x{{else}}y'), { a: 1 })).toBe('1 {{#if b}}x{{else}}y')
    expect(fillTemplate(read('{{#if b}}x{{/if}}{{/if}}'), { b: 1 })).toBe('x{{/if}}')
    expect(problems).toHaveLength(2)
  })

  it('a variable is unfilled unless its own condition requires a value', () => {
    const parts = parseTemplate('{{#if a}}{{a}} {{b}}{{else}}{{c}}{{/if}}{{#if d != "x"}}{{d}}{{/if}}')
    expect(unfilledVariables(parts, {})).toEqual(['b', 'c', 'd'])
    expect(variablesOf(parts)).toEqual(['a', 'b', 'c', 'd'])
    expect(unconditionalVariables(parseTemplate('{{x}}{{#if a}}{{y}}{{else}}{{z}}{{/if}}{{w}}'))).toEqual(['x', 'w'])
  })
})
