import type { LookupAddress } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../domain/core/network-address.ts'
import { lookupAll, type Lookup } from '../smtp/connect.ts'

/** `refused`: an address of a private network, which is not opened. */
export type LinkState = { kind: 'answered'; status: number } | { kind: 'silent' } | { kind: 'refused' }

const timeoutMs = 5000
const redirectsMaxCount = 3

export interface LinkNetwork {
  lookup?: Lookup
  /** Default: public addresses. */
  isAllowed?: (address: string) => boolean
}

/**
 * Asks for the headers of a page. Each name is looked up once, all its addresses are checked, and only these are connected
 * to; the same for each redirect.
 */
export async function checkLink(href: string, network: LinkNetwork = {}, redirectCount = 0): Promise<LinkState> {
  const url = URL.parse(href)
  if (url === null || !/^https?:$/.test(url.protocol)) return { kind: 'silent' }
  const { lookup = lookupAll, isAllowed = isPublicAddress } = network
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host).catch(() => [])
  if (addresses.length === 0) return { kind: 'silent' }
  if (!addresses.every(({ address }) => isAllowed(address))) return { kind: 'refused' }
  const usable = await askTwice(url, addresses)
  if (usable === null) return { kind: 'silent' }
  const isMoved = usable.status >= 300 && usable.status < 400 && usable.location !== undefined
  if (!isMoved || redirectCount >= redirectsMaxCount) return { kind: 'answered', status: usable.status }
  const next = URL.parse(usable.location ?? '', url.href)
  return next === null ? { kind: 'silent' } : checkLink(next.href, network, redirectCount + 1)
}

/** Some servers refuse HEAD. */
async function askTwice(url: URL, addresses: readonly LookupAddress[]) {
  const answer = await ask(url, 'HEAD', addresses)
  if (answer && ![403, 405, 501].includes(answer.status)) return answer
  return (await ask(url, 'GET', addresses)) ?? answer
}

/** Null without an answer. */
function ask(
  url: URL,
  method: 'HEAD' | 'GET',
  addresses: readonly LookupAddress[],
): Promise<{ status: number; location: string | undefined } | null> {
  return new Promise((resolve) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, {
      method,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; Sendwright link check)', accept: '*/*' },
      lookup: (_host, { all }, callback) => {
        if (all === true) callback(null, [...addresses])
        else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
      },
    })
    request.on('response', (response) => {
      resolve({ status: response.statusCode ?? 0, location: response.headers.location })
      response.destroy()
    })
    request.on('error', () => resolve(null))
    request.end()
  })
}
