import { expect, it } from 'vitest'
import { readTrackingHost } from './tracking-domain.ts'

const label = (chars: number) => 'a'.repeat(chars)
const host = (chars: number) => `${label(63)}.${label(63)}.${label(63)}.${label(chars - 205)}.northwind.se`

it('a host for links has up to 253 characters, and labels of up to 63', () => {
  expect([host(253), host(254)].map((name) => name.length)).toEqual([253, 254])
  expect(readTrackingHost(host(253), 'mail.example.org')).toBe(host(253))
  expect(readTrackingHost(host(254), 'mail.example.org')).toBeNull()
  expect(readTrackingHost(`${label(63)}.northwind.se`, 'mail.example.org')).toBe(`${label(63)}.northwind.se`)
  expect(readTrackingHost(`${label(64)}.northwind.se`, 'mail.example.org')).toBeNull()
})
