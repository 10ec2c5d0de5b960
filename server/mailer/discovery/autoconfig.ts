import type { LookupAddress } from 'node:dns'
import { request } from 'node:https'
import { Parser } from 'htmlparser2'
import type { SmtpSecurity } from '../../../contract/mail/config.ts'
import type { SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import { isPublicAddress } from '../../domain/core/network-address.ts'
import { lookupAll, abortable, type Lookup } from '../smtp/connect.ts'
import { createResolver, resolveHost } from '../smtp/resolve-host.ts'

/** Options of autoconfig requests, for tests. */
export interface AutoconfigNetwork {
  lookup?: Lookup
  /** Name servers as `address:port`, in place of the system's. */
  nameServers?: readonly string[]
  /** CA certificates, PEM, in place of the system's. */
  ca?: string
  /** In place of 443. */
  port?: number
  timeoutMs?: number
}

const timeoutDefaultMs = 5000
const maxBytes = 64 * 1024
const securities: Readonly<Record<string, SmtpSecurity>> = { SSL: 'tls', STARTTLS: 'starttls' }

/**
 * Reads a domain's mail server from its autoconfig file, as Thunderbird does (Mozilla, config-v1.1.xml). Only over https,
 * because the answer determines where app passwords are sent. `isAllowed`: hosts that may have private addresses. Null if
 * there is no usable answer. Does not throw for errors of the server.
 */
export async function readAutoconfig(
  domain: string,
  isAllowed: (host: string, port: number) => boolean,
  network: AutoconfigNetwork = {},
): Promise<SmtpServer | null> {
  const locations = [
    [`autoconfig.${domain}`, '/mail/config-v1.1.xml'],
    [domain, '/.well-known/autoconfig/mail/config-v1.1.xml'],
  ] as const
  // In parallel: most domains have neither, and a user waits.
  const texts = await Promise.all(locations.map(([host, path]) => fetchText(host, path, isAllowed, network)))
  for (const text of texts) {
    const server = text === null ? null : parseAutoconfig(text, domain)
    if (server !== null) return server
  }
  return null
}

/** The first encrypted outgoing server in an autoconfig file; null if there is none. */
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

/** Whether a text is a host name and not an IP address. */
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
  // Hosts that the operator allowed may be defined in the system's hosts file.
  const isAllowedHost = isAllowed(host, port)
  const find = lookup ?? (isAllowedHost ? lookupAll : (name: string) => resolveHost(name, createResolver(nameServers)))
  try {
    const addresses = await abortable(find(host), signal)
    const isSafe = isAllowedHost || addresses.every(({ address }) => isPublicAddress(address))
    if (!isSafe || addresses.length === 0) return null
    return await get(host, port, path, addresses, ca, signal)
  } catch {
    return null // No host, no valid certificate or a timeout: no usable response.
  }
}

/** Requests only the checked addresses; redirects and long answers are ignored. */
function get(
  host: string,
  port: number,
  path: string,
  addresses: readonly LookupAddress[],
  ca: string | undefined,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host,
      port,
      path,
      servername: host,
      agent: false,
      signal,
      ...(ca === undefined ? {} : { ca }),
      headers: { accept: 'text/xml, application/xml' },
      lookup: (_host, { all }, callback) => {
        const [first] = addresses
        if (all === true) callback(null, [...addresses])
        else callback(null, first?.address ?? '', first?.family)
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      if (response.statusCode !== 200) {
        sent.destroy()
        resolve(null)
        return
      }
      let text = ''
      response.setEncoding('utf8')
      response.on('error', reject)
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > maxBytes) sent.destroy(new Error('The autoconfig file is too long.'))
      })
      response.on('end', () => resolve(text))
    })
    sent.end()
  })
}
