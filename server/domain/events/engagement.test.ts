import { expect, it } from 'vitest'
import { quarterOf } from './engagement.ts'

it.each([
  ['2026-08-24T10:00:00.000Z', '2026-08-24T10:00:00.000Z'],
  ['2026-08-24T10:14:59.999Z', '2026-08-24T10:00:00.000Z'],
  ['2026-08-24T10:15:00.000Z', '2026-08-24T10:15:00.000Z'],
])('%s belongs to the quarter of an hour from %s on', (at, from) => {
  expect(new Date(quarterOf(Date.parse(at))).toISOString()).toBe(from)
})
