import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

const timeoutMs = 2500

/**
 * A resolver that queries name servers directly. The system's lookup uses the small thread pool of this process: an
 * unknown domain with unresponsive servers would block lookups of the sender.
 */
export function createResolver(nameServers?: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  if (nameServers) resolver.setServers(nameServers)
  return resolver
}

/** The addresses of a host from the name servers alone; empty if there are none or no answer. */
export async function resolveHost(host: string, resolver: Resolver): Promise<LookupAddress[]> {
  const none = () => [] // No record and no answer are treated alike.
  const [four, six] = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])
  return [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
}
