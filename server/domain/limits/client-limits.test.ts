import { describe, expect, it } from 'vitest'
import { clientLimits, createClientCounts, createIsTrustedProxy } from './client-limits.ts'

describe('trusted proxies', () => {
  const isTrusted = createIsTrustedProxy(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])

  it.each(['10.1.2.3', '127.0.0.1', 'fd00::1', '::ffff:10.1.2.3'])('include %s', (address) => {
    expect(isTrusted(address)).toBe(true)
  })

  it.each(['11.1.2.3', '127.0.0.2', 'fe80::1', '::ffff:11.1.2.3', ''])('exclude %s', (address) => {
    expect(isTrusted(address)).toBe(false)
  })

  it('are none by default', () => {
    expect(createIsTrustedProxy([])('127.0.0.1')).toBe(false)
  })
})

it('each client has its own count, and a second release of a slot has no effect', () => {
  const counts = createClientCounts(2)
  const [first, second] = [counts.take('a'), counts.take('a')]
  expect([first, second, counts.take('a'), counts.take('b')].map((taken) => taken === null)).toEqual([
    false,
    false,
    true,
    false,
  ])
  first!()
  first!()
  expect([counts.take('a'), counts.take('a')].map((taken) => taken === null)).toEqual([false, true])
})

it.each([
  [200, 'connections', clientLimits.connectionsMaxCount],
  [20, 'websockets without a key', clientLimits.unauthenticatedSocketsMaxCount],
])('a client may hold %i %s', (count, _what, maxCount) => {
  const counts = createClientCounts(maxCount)
  const taken = Array.from({ length: count + 1 }, () => counts.take('a') !== null)
  expect(taken).toEqual([...Array<boolean>(count).fill(true), false])
})
