import { BlockList, isIPv6 } from 'node:net'

/** What one client may take of a process, so that the others have room (scale.md, Connections). */
export interface ClientLimits {
  /** HTTP connections that one client address may hold open. */
  connectionsMaxCount: number
  /** Websockets of one client address that have not sent a valid key yet. */
  unauthenticatedSocketsMaxCount: number
  /** A body is judged by what arrives within this time. */
  bodyWindowMs: number
  bodyMinBytesPerSecond: number
}

export const clientLimits: ClientLimits = {
  connectionsMaxCount: 200,
  unauthenticatedSocketsMaxCount: 20,
  bodyWindowMs: 30_000,
  bodyMinBytesPerSecond: 1000,
}

/** Recognizes the addresses and networks of TRUSTED_PROXIES. */
export function createIsTrustedProxy(trustedProxies: readonly string[]): (address: string) => boolean {
  if (trustedProxies.length === 0) return () => false
  const list = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', prefix] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  // The list knows an IPv4 address in IPv6 form too.
  return (address) => address !== '' && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Counts what each client holds. */
export interface ClientCounts {
  /** Counts one more, unless the client holds as many as it may; then null. Returns its undo, which counts once. */
  take: (client: string) => (() => void) | null
}

export function createClientCounts(maxCount: number): ClientCounts {
  const counts = new Map<string, number>()
  return {
    take(client) {
      const count = counts.get(client) ?? 0
      if (count >= maxCount) return null
      counts.set(client, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (counts.get(client) ?? 1) - 1
        if (left === 0) counts.delete(client)
        else counts.set(client, left)
      }
    },
  }
}
