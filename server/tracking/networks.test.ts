import { describe, expect, it } from 'vitest'
import { networkEntryOf } from '../../contract/results/network-label.ts'
import { defaultNetworks } from './default-networks.ts'
import { NetworksFileError, readNetworks } from './networks.ts'

const entryOf = (find: (address: string) => number | null, address: string) => {
  const label = find(address)
  return label === null ? null : networkEntryOf(label)
}

describe('a networks file', () => {
  const find = readNetworks(`
    # comment
    192.0.2.0/24 clicks machine mimecast   # and another
    192.0.2.128/25 all probable datacenter
    2001:db8::/32 all machine apple
    0.0.0.0/0 clicks probable somebody
  `)

  it.each([
    ['192.0.2.7', { name: 'mimecast', scope: 'clicks', certainty: 'machine' }],
    ['192.0.2.200', { name: 'datacenter', scope: 'all', certainty: 'probable' }],
    ['::ffff:192.0.2.7', { name: 'mimecast', scope: 'clicks', certainty: 'machine' }],
    ['2001:db8:ffff::1', { name: 'apple', scope: 'all', certainty: 'machine' }],
    ['2001:0DB8:0:0:0:0:192.0.2.1', { name: 'apple', scope: 'all', certainty: 'machine' }],
    ['8.8.8.8', { name: 'other', scope: 'clicks', certainty: 'probable' }],
    ['2001:db9::1', null],
    ['not an address', null],
    ['', null],
  ])('gives %s the entry of its longest prefix', (address, entry) => {
    expect(entryOf(find, address)).toEqual(entry)
  })

  it.each([
    ['192.0.2.0/33 clicks machine x', 'Line 1 has no valid network'],
    ['\n192.0.2.0 clicks machine x', 'Line 2 has no valid network'],
    ['192.0.2.0/24 opens machine x', 'Line 1 lacks its scope or certainty'],
    ['192.0.2.0/24', 'Line 1 lacks its scope or certainty'],
    ['::1/129 all machine x', 'Line 1 has no valid network'],
  ])('is refused with its line: %j', (text, message) => {
    expect(() => readNetworks(text)).toThrow(NetworksFileError)
    expect(() => readNetworks(text)).toThrow(`${message}: write it as "192.0.2.0/24 clicks machine name"`)
  })
})

it('the list that comes with the product knows privacy relays, link scanners and data centres', () => {
  const find = readNetworks(defaultNetworks)
  expect(entryOf(find, '172.225.7.8')).toEqual({ name: 'apple', scope: 'all', certainty: 'machine' })
  expect(entryOf(find, '2a02:26f7:c9c8::1')?.name).toBe('apple')
  expect(entryOf(find, '148.163.140.1')).toEqual({ name: 'proofpoint', scope: 'clicks', certainty: 'machine' })
  expect(entryOf(find, '34.71.0.1')).toEqual({ name: 'datacenter', scope: 'clicks', certainty: 'probable' })
  expect(entryOf(find, '93.184.216.34')).toBeNull()
})
