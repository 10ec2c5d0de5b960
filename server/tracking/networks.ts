import { isIPv4, isIPv6 } from 'node:net'
import { networkLabelOf, networkNames, type NetworkEntry } from '../../contract/results/network-label.ts'

/** Finds the label of an address: that of the longest listed prefix, in the form of `networkLabelOf`; null if none is listed. */
export type FindNetwork = (address: string) => number | null

/** A line of a networks file that cannot be read; the message names the line and the remedy. */
export class NetworksFileError extends Error {
  override readonly name = 'NetworksFileError'
}

/** IPv4 as a number: it takes a fraction of the time of a bigint. */
type Address = { bits: 32; value: number } | { bits: 128; value: bigint }

/**
 * Reads a networks file: one network a line, as `<CIDR> <clicks|all> <machine|probable> <name>`; `#` begins a comment. Throws
 * NetworksFileError.
 */
export function readNetworks(text: string): FindNetwork {
  /** Labels by prefix length and network. */
  const tables = { 32: new Map<number, Map<number, number>>(), 128: new Map<number, Map<bigint, number>>() }
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/#.*/, '').trim()
    if (content === '') continue
    const { address, length, label } = readLine(content, index + 1)
    if (address.bits === 32) addNetwork(tables[32], length, shift32(address.value, length), label)
    else addNetwork(tables[128], length, shift128(address.value, length), label)
  }
  const longestFirst = <T>(table: ReadonlyMap<number, T>) => [...table].sort(([a], [b]) => b - a)
  const sorted = { 32: longestFirst(tables[32]), 128: longestFirst(tables[128]) }
  return (text) => {
    const address = parseAddress(text)
    if (address === null) return null
    return address.bits === 32
      ? findLabel(sorted[32], (length) => shift32(address.value, length))
      : findLabel(sorted[128], (length) => shift128(address.value, length))
  }
}

/** The first bits of an address. */
const shift32 = (value: number, length: number) => Math.floor(value / 2 ** (32 - length))
const shift128 = (value: bigint, length: number) => value >> BigInt(128 - length)

function addNetwork<T>(table: Map<number, Map<T, number>>, length: number, network: T, label: number): void {
  const networks = table.get(length) ?? new Map<T, number>()
  table.set(length, networks.set(network, label))
}

function findLabel<T>(
  table: readonly (readonly [number, ReadonlyMap<T, number>])[],
  networkOf: (length: number) => T,
): number | null {
  for (const [length, networks] of table) {
    const label = networks.get(networkOf(length))
    if (label !== undefined) return label
  }
  return null
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

const readIpv4 = (text: string): number => text.split('.').reduce((value, part) => value * 256 + Number(part), 0)

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
  const value = BigInt(readIpv4(part))
  return [value >> 16n, value & 0xffffn]
}
