import type { LookupAddress } from 'node:dns'
import { request } from 'node:https'
import { Parser } from 'htmlparser2'
import type { SmtpSecurity } from '../../../contract/mail/config.ts'
import type { SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import { isPublicAddress } from '../../domain/core/network-address.ts'
import { lookupAll, abortable, type Lookup } from '../smtp/connect.ts'
import { createResolver, resolveHost } from '../smtp/resolve-host.ts'

/** How autoconfig is asked for; each is optional outside of tests. */
export interface AutoconfigNetwork {
  lookup?: Lookup
  /** Where names are asked for, as `address:port`, in place of the system's. */
  nameServers?: readonly string[]
  /** Certificates of authorities, PEM, in place of the system's. */
  ca?: string
  /** In place of 443. */
  port?: number
  timeoutMs?: number
}

const timeoutDefaultMs = 5000
const maxBytes = 64 * 1024
const securities: Readonly<Record<string, SmtpSecurity>> = { SSL: 'tls', STARTTLS: 'starttls' }

/**
 * Asks a domain itself for its mail server, as Thunderbird does (Mozilla's autoconfig, config-v1.1.xml): over https only, for
 * whoever answers names the place that app passwords go to. `isAllowed` tells hosts that may be private. Null where the
 * domain says nothing that can be used. Never throws for anything that a server does.
 */
export async function readAutoconfig(
  domain: string,
  isAllowed: (host: string, port: number) => boolean,
  network: AutoconfigNetwork = {},
): Promise<SmtpServer | null> {
  const places = [
    [`autoconfig.${domain}`, '/mail/config-v1.1.xml'],
    [domain, '/.well-known/autoconfig/mail/config-v1.1.xml'],
  ] as const
  // Both at once: most domains have neither, and somebody waits.
  const texts = await Promise.all(places.map(([host, path]) => fetchText(host, path, isAllowed, network)))
  for (const text of texts) {
    const server = text === null ? null : parseAutoconfig(text, domain)
    if (server !== null) return server
  }
  return null
}

/** The first outgoing server with encryption that a description names; null where there is none. */
export function parseAutoconfig(xml: string, domain: string): SmtpServer | null {
  const servers: Record<string, string>[] = []
  let current: Record<string, string> | null = null
  let tag: string | null = null
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'outgoingServer' && attributes['type'] === 'smtp') current = {}
        tag = name
      },
      ontext(text) {
        if (current !== null && tag !== null) current[tag] = (current[tag] ?? '') + text
      },
      onclosetag(name) {
        if (name === 'outgoingServer' && current !== null) {
          servers.push(current)
          current = null
        }
        tag = null
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  for (const server of servers) {
    const security = securities[(server['socketType'] ?? '').trim().toUpperCase()]
    const host = (server['hostname'] ?? '').trim().replaceAll('%EMAILDOMAIN%', domain).toLowerCase()
    const port = Number((server['port'] ?? '').trim())
    if (security !== undefined && isHostName(host) && (port === 465 || port === 587)) return { host, port, security }
  }
  return null
}

/** Whether a text is a name of a host, and no address of one. */
export function isHostName(text: string): boolean {
  return (
    text.length <= 253 && /^(?=.*[a-z])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i.test(text)
  )
}

async function fetchText(
  host: string,
  path: string,
  isAllowed: (host: string, port: number) => boolean,
  { lookup, nameServers, ca, port = 443, timeoutMs = timeoutDefaultMs }: AutoconfigNetwork,
): Promise<string | null> {
  const signal = AbortSignal.timeout(timeoutMs)
  // The few names that the operator has named may stand in the system's own files.
  const isNamed = isAllowed(host, port)
  const find = lookup ?? (isNamed ? lookupAll : (name: string) => resolveHost(name, createResolver(nameServers)))
  try {
    const addresses = await abortable(find(host), signal)
    const isSafe = isNamed || addresses.every(({ address }) => isPublicAddress(address))
    if (!isSafe || addresses.length === 0) return null
    return await get(host, port, path, addresses, ca, signal)
  } catch {
    return null // No such host, no certificate, no answer in time: each means that the domain says nothing.
  }
}

/** One request to the very addresses that were judged; an answer that leads elsewhere or is too long is none. */
function get(
  host: string,
  port: number,
  path: string,
  addresses: readonly LookupAddress[],
  ca: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host,
      port,
      path,
      servername: host,
      agent: false,
      signal,
      ...(ca === undefined ? {} : { ca }),
      headers: { accept: 'text/xml, application/xml' },
      lookup: (_host, { all }, give) => {
        const [first] = addresses
        if (all === true) give(null, [...addresses])
        else give(null, first?.address ?? '', first?.family)
      },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      if (response.statusCode !== 200) {
        asked.destroy()
        resolve(null)
        return
      }
      let text = ''
      response.setEncoding('utf8')
      response.on('error', reject)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxBytes) asked.destroy(new Error('The description is too long.'))
      })
      response.on('end', () => resolve(text))
    })
    asked.end()
  })
}
