import { expect, it } from 'vitest'
import { clientNetwork } from './client-network.ts'

it.each([
  ['203.0.113.7', '203.0.113.255', '203.0.114.7'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:2::1'],
])('%s is of one network with %s, and not with %s', (address, near, far) => {
  expect(clientNetwork(near)).toBe(clientNetwork(address))
  expect(clientNetwork(far)).not.toBe(clientNetwork(address))
})
