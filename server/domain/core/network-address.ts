import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Networks that a mailbox's server must not be in (IANA special-purpose registries, RFC 6890 and its successors). */
const forbidden = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  forbidden.addSubnet(network, prefix, 'ipv4')
}

/** The one block of IPv6 that is routed, and what is carved out of it: documentation, tunnels to IPv4, benchmarks. */
const routed = new BlockList()
routed.addSubnet('2000::', 3, 'ipv6')
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  forbidden.addSubnet(network, prefix, 'ipv6')
}

/**
 * Whether an IP address is one of the public internet: not private, loopback, link-local, shared (CGNAT), multicast,
 * reserved, or an IPv4 address in IPv6 clothes. False for text that is no IP address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !forbidden.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return routed.check(address, 'ipv6') && !forbidden.check(address, 'ipv6')
}
