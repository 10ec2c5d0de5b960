import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../contract/core/errors.ts'
import { parseJsonBody } from './json-body.ts'

const parse = (text: string) => parseJsonBody(Buffer.from(text))
const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('a JSON body', () => {
  it('parses all output of JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('an empty body is undefined', () => {
    expect(parse('')).toBeUndefined()
  })

  it('may nest up to the limit', () => {
    expect(parse(nest(64))).toBeInstanceOf(Array)
    expect(() => parse(nest(65))).toThrow('nests deeper than 64 levels')
  })

  it.each([
    ['a repeated key', '{"subject":"a","subject":"b"}'],
    ['the same key written with an escape', '{"subject":"a","\\u0073ubject":"b"}'],
    ['a repeated key further down', '[{"a":{"b":1,"b"   :2}}]'],
    ['a byte order mark', '\uFEFF{"a":1}'],
    ['nesting ten thousand deep', nest(10_000)],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{"a":1}/**/'],
    ['a bare word', 'subject'],
    ['single quotes', "{'a':1}"],
    ['NaN', '{"a":NaN}'],
    ['a lone surrogate half in bytes', '{"a":"\xED"'],
    ['two values', '{} {}'],
    ['nothing but blanks', '   '],
  ])('H37 rejects %s', (_what, text) => {
    expect(() => parse(text)).toThrow(AppError)
  })

  it('H37 rejects bytes that are not UTF-8', () => {
    expect(() => parseJsonBody(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow('not valid UTF-8')
  })

  it('accepts the same key in two objects, as a value, or within quotes', () => {
    const text = '{"a":{"a":"a"},"b":[{"a":1},{"a":2}],"c":"a","\\"a\\"":1,"\\\\":"\\\\"}'
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  it('H57 an error does not quote the input', () => {
    try {
      parse('{"password":"hunter2')
    } catch (error) {
      expect(JSON.stringify([(error as AppError).message, (error as AppError).cause])).not.toContain('hunter2')
    }
    expect.assertions(1)
  })
})
