import type { Resolver } from 'node:dns/promises'
import { request } from 'node:https'
import { isPublicAddress } from '../../domain/core/network-address.ts'
import type { HostFault } from '../../domain/tracking/tracking-domain.ts'
import { createResolver, resolveHost } from '../smtp/resolve-host.ts'

/** Of the network that a check sees; the defaults are the internet. */
export interface TrackingNetwork {
  nameServers?: readonly string[]
  port?: number
  /** PEM of a further authority. */
  ca?: string
  isAllowed?: (address: string) => boolean
}

const hopsMaxCount = 8
const timeoutMs = 5000
/** Answered by the tracking door of any deployment, with this many bytes. */
const probePath = '/o/check.gif'
const probeBytes = 43

/**
 * Looks for the CNAME records from a host to `target`, and for a valid certificate of the host by a request to it. Null
 * where all is right. Rejects where no name server answers.
 */
export function createTrackingHostCheck({ nameServers, port = 443, ca, isAllowed = isPublicAddress }: TrackingNetwork) {
  const resolver = createResolver(nameServers)
  return async (host: string, target: string): Promise<HostFault | null> => {
    const fault = await followNames(host, target, resolver)
    if (fault) return fault
    const addresses = await resolveHost(target, resolver)
    if (addresses.length === 0) return { kind: 'no_answer' }
    if (!addresses.every(({ address }) => isAllowed(address))) return { kind: 'private' }
    return probe(host, { port, ...(ca !== undefined && { ca }) }, addresses)
  }
}

async function followNames(host: string, target: string, resolver: Resolver): Promise<HostFault | null> {
  const names = [host]
  for (let name = host; name !== target;) {
    const next = await nextName(name, resolver)
    if (next === null) return name === host ? { kind: 'no_record' } : { kind: 'leads_elsewhere', to: name }
    names.push(next)
    if (names.indexOf(next) < names.length - 1 || names.length > hopsMaxCount) return { kind: 'loop', names }
    name = next
  }
  return null
}

async function nextName(name: string, resolver: Resolver): Promise<string | null> {
  try {
    const [next] = await resolver.resolveCname(name)
    return next?.toLowerCase().replace(/\.$/, '') ?? null
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

function probe(
  host: string,
  connection: { port: number; ca?: string },
  addresses: Awaited<ReturnType<typeof resolveHost>>,
): Promise<HostFault | null> {
  return new Promise((resolve) => {
    const sent = request({
      ...connection,
      host,
      servername: host,
      path: probePath,
      method: 'GET',
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; Sendwright domain check)' },
      lookup: (_host, { all }, callback) => {
        if (all === true) callback(null, addresses)
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
    })
    sent.on('response', (response) => {
      const isOurs =
        response.statusCode === 200 &&
        response.headers['content-type'] === 'image/gif' &&
        response.headers['content-length'] === String(probeBytes)
      resolve(isOurs ? null : { kind: 'not_ours' })
      response.destroy()
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(faultOf(error)))
    sent.end()
  })
}

function faultOf({ code = '' }: NodeJS.ErrnoException): HostFault {
  if (/^(?:ECONN|EHOST|ENET|ETIMEDOUT|ABORT|ENOTFOUND)/.test(code)) return { kind: 'no_answer' }
  return { kind: 'certificate', reason: code }
}
