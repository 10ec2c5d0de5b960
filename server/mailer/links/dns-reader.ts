import type { DnsReader } from '../../domain/deliverability/dns-rules.ts'
import { createResolver } from '../smtp/resolve-host.ts'

/** Codes of a name without such a record. */
const without = new Set(['ENODATA', 'ENOTFOUND'])

/** Reads records from the name servers. Rejects where none answers. */
export function createDnsReader(nameServers?: readonly string[]): DnsReader {
  const resolver = createResolver(nameServers)
  const orNone = async <T>(work: Promise<T[]>): Promise<T[]> => {
    try {
      return await work
    } catch (error) {
      if (without.has((error as NodeJS.ErrnoException).code ?? '')) return []
      throw error
    }
  }
  return {
    txt: async (name) => (await orNone(resolver.resolveTxt(name))).map((pieces) => pieces.join('')),
    mx: async (name) => (await orNone(resolver.resolveMx(name))).map(({ exchange }) => exchange),
  }
}
