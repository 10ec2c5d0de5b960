import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from './database-unavailable.ts'

it('a lost connection is recognised as the third cause of an error, and not as the fourth', () => {
  const lost = Object.assign(new Error('terminating connection'), { code: '57P01' })
  const causedBy = (causes: number): Error =>
    causes === 0 ? lost : new Error('failed', { cause: causedBy(causes - 1) })
  expect([0, 1, 2, 3, 4].map((causes) => isDatabaseUnavailable(causedBy(causes)))).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
})

it.each([
  ['08006', true],
  ['53300', true],
  ['57P01', true],
  ['57P05', true],
  ['57P00', false],
  ['57P06', false],
  ['25006', true],
  ['23505', false],
])('an error with the code %s means an unavailable database: %s', (code, expected) => {
  expect(isDatabaseUnavailable(Object.assign(new Error('failed'), { code }))).toBe(expected)
})
