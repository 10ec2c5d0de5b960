import { describe, expect, it } from 'vitest'
import { betterOf, readFigures } from './figures.ts'

describe('the output of a bench', () => {
  it('holds a figure in each line of JSON, between lines of other programs', () => {
    const line = { bench: 'accept', case: 'p99', value: 12, unit: 'ms', baseline: 15, against: 'limit', ratio: 0.8 }
    const output = ['Built dist/ in 2.0 s.', JSON.stringify(line), '{"level":"warn"}', '{broken', ''].join('\n')
    expect(readFigures(output)).toEqual([line])
  })

  it('may hold a value that JSON cannot write', () => {
    expect(readFigures('{"bench":"a","case":"b","value":null,"unit":"ms"}')).toEqual([
      { bench: 'a', case: 'b', value: Number.NaN, unit: 'ms', baseline: null, against: '', ratio: null },
    ])
  })
})

it.each([
  ['/s', '', 'more'],
  ['events/s', 'limit', 'more'],
  ['%', 'at least', 'more'],
  ['ms', 'limit', 'less'],
  ['µs', 'all, a mail', 'less'],
  ['s', '', 'less'],
  ['MiB', 'limit', 'less'],
  ['kB', 'limit', 'less'],
  ['B', 'limit', 'less'],
  ['rows', 'limit', 'less'],
  ['% of all', '', 'less'],
  ['', 'answered', null],
])('a figure in “%s” against “%s” is better if %s', (unit, against, better) => {
  expect(betterOf({ unit, against })).toBe(better)
})
