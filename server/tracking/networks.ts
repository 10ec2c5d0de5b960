import { isIPv4, isIPv6 } from 'node:net'
import { networkLabelOf, networkNames, type NetworkEntry } from '../../contract/results/network-label.ts'

/** Finds the label of an address: that of the longest listed prefix, in the form of `networkLabelOf`; null if none is listed. */
export type FindNetwork = (address: string) => number | null

/** A line of a networks file that cannot be read; the message names the line and the remedy. */
export class NetworksFileError extends Error {
  override readonly name = 'NetworksFileError'
}

interface Address {
  bits: 32 | 128
  value: bigint
}

/**
 * Reads a networks file: one network a line, as `<CIDR> <clicks|all> <machine|probable> <name>`; `#` begins a comment. Throws
 * NetworksFileError.
 */
export function readNetworks(text: string): FindNetwork {
  /** Labels by prefix length and network. */
  const tables = { 32: new Map<number, Map<bigint, number>>(), 128: new Map<number, Map<bigint, number>>() }
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/#.*/, '').trim()
    if (content === '') continue
    const { address, length, label } = readLine(content, index + 1)
    const table = tables[address.bits]
    const networks = table.get(length) ?? new Map<bigint, number>()
    table.set(length, networks.set(address.value >> BigInt(address.bits - length), label))
  }
  const sorted = {
    32: [...tables[32]].sort(([a], [b]) => b - a),
    128: [...tables[128]].sort(([a], [b]) => b - a),
  }
  return (text) => {
    const address = parseAddress(text)
    if (address === null) return null
    for (const [length, networks] of sorted[address.bits]) {
      const label = networks.get(address.value >> BigInt(address.bits - length))
      if (label !== undefined) return label
    }
    return null
  }
}

const form = 'write it as "192.0.2.0/24 clicks machine name"'

function readLine(content: string, no: number): { address: Address; length: number; label: number } {
  const [cidr = '', scope, certainty, name] = content.split(/\s+/)
  const [host = '', prefix = ''] = cidr.split('/')
  const address = parseAddress(host)
  const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  if (address === null || length < 0 || length > address.bits) {
    throw new NetworksFileError(`Line ${no} has no valid network: ${form}`)
  }
  if ((scope !== 'clicks' && scope !== 'all') || (certainty !== 'machine' && certainty !== 'probable')) {
    throw new NetworksFileError(`Line ${no} lacks its scope or certainty: ${form}`)
  }
  const entry: NetworkEntry = { name: networkNames.find((known) => known === name) ?? 'other', scope, certainty }
  return { address, length, label: networkLabelOf(entry) }
}

/** An address in any of its forms; IPv4 in IPv6 counts as IPv4. Null for other text. */
function parseAddress(text: string): Address | null {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1] ?? text
  if (isIPv4(mapped)) return { bits: 32, value: readIpv4(mapped) }
  return isIPv6(text) ? { bits: 128, value: readIpv6(text.replace(/%.*/, '')) } : null
}

const readIpv4 = (text: string): bigint =>
  BigInt(text.split('.').reduce((value, part) => value * 256 + Number(part), 0))

function readIpv6(text: string): bigint {
  const [head = '', tail] = text.split('::')
  const words = (part: string) => (part === '' ? [] : part.split(':').flatMap(wordsOf))
  const [left, right] = [words(head), words(tail ?? '')]
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => 0n)
  return [...left, ...zeros, ...right].reduce((value, word) => (value << 16n) | word, 0n)
}

/** The words of a part: two where it is an IPv4 address at the end. */
function wordsOf(part: string): bigint[] {
  if (!part.includes('.')) return [BigInt(`0x${part}`)]
  const value = readIpv4(part)
  return [value >> 16n, value & 0xffffn]
}
