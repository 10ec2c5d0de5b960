import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

const timeoutMs = 2500

/**
 * Asks name servers itself. The system's own lookup runs on the few threads that all of this process shares: a stranger's
 * domain whose servers do not answer would hold up the lookups of mails that are to be sent.
 */
export function createResolver(nameServers?: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 })
  if (nameServers) resolver.setServers(nameServers)
  return resolver
}

/** The addresses of a host, by the name servers alone; none where they know none, or do not answer. */
export async function resolveHost(host: string, resolver: Resolver): Promise<LookupAddress[]> {
  const none = () => [] // No record and no answer mean the same here.
  const [four, six] = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])
  return [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
}
