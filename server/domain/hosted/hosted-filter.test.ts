import { describe, expect, it } from 'vitest'
import { readFilters } from './hosted-filter.ts'

const read = (text: string) => {
  const result = readFilters([text])
  return result.ok ? result.filters[0] : result.problem.sentence
}

describe('a filter', () => {
  it.each([
    ['status=active', { path: ['status'], operator: 'equal', value: 'active' }],
    ['maker.country=DE', { path: ['maker', 'country'], operator: 'equal', value: 'DE' }],
    ['price__gt=10', { path: ['price'], operator: 'gt', value: '10' }],
    ['a.b__lt=', { path: ['a', 'b'], operator: 'lt', value: '' }],
    ['name__contains=a=b', { path: ['name'], operator: 'contains', value: 'a=b' }],
    ['price__gte=10', { path: ['price__gte'], operator: 'equal', value: '10' }],
    ['a__b=1', { path: ['a__b'], operator: 'equal', value: '1' }],
    ["x'); drop table users; --=1", { path: ["x'); drop table users; --"], operator: 'equal', value: '1' }],
    ['a=1', { path: ['a'], operator: 'equal', value: '1' }],
    ['a.b.c.d.e.f.g.h=1', { path: 'a.b.c.d.e.f.g.h'.split('.'), operator: 'equal', value: '1' }],
    ['__proto__=1', { path: ['__proto__'], operator: 'equal', value: '1' }],
  ])('%s is parsed as a field, a comparison and a value', (text, filter) => {
    expect(read(text)).toEqual(filter)
  })

  it.each(['', 'status', '=active', '.a=1', 'a..b=1', 'a.=1', '__gt=1', `${'a.'.repeat(8)}b=1`])(
    '“%s” is rejected with a message',
    (text) => {
      expect(read(text)).toMatch(/^filter /)
    },
  )

  it('can occur at most eight times', () => {
    expect(readFilters(Array<string>(8).fill('a=1'))).toMatchObject({ ok: true })
    expect(readFilters(Array<string>(9).fill('a=1'))).toMatchObject({ ok: false, problem: { index: 8 } })
  })
})
