import type { SrvRecord } from 'node:dns'
import { domainToASCII } from 'node:url'
import type { SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import { isHostName, readAutoconfig, type AutoconfigNetwork } from './autoconfig.ts'
import type { SmtpPermissions } from '../smtp/providers.ts'
import { createResolver } from '../smtp/resolve-host.ts'

/** A domain's mail server. `isSure` false: from DNS alone, with a host outside the domain. */
export type Discovery = { server: SmtpServer; isSure: boolean } | null

/** Options of discovery, for tests. */
export interface DiscoveryNetwork extends AutoconfigNetwork {
  resolveSrv?: (name: string) => Promise<SrvRecord[]>
}

const services = [
  { name: '_submissions._tcp', port: 465, security: 'tls' }, // RFC 8314 §5.1
  { name: '_submission._tcp', port: 587, security: 'starttls' }, // RFC 6186 §3.1
] as const

/**
 * Finds the mail server of an address's domain: by autoconfig over https, else by SRV records. A record with a host of
 * another domain needs the user's confirmation (RFC 6186 §6): DNS can be forged, and an attacker would get the password.
 * Null if nothing is found. Never throws.
 */
export async function discoverServer(
  emailAddress: string,
  permissions: Pick<SmtpPermissions, 'allow'>,
  network: DiscoveryNetwork = {},
): Promise<Discovery> {
  const domain = domainToASCII(emailAddress.slice(emailAddress.lastIndexOf('@') + 1).toLowerCase())
  if (!isHostName(domain)) return null
  const isAllowed = (host: string, port: number) =>
    permissions.allow.some((peer) => peer.host === host && peer.port === port)
  const [described, listed] = await Promise.all([readAutoconfig(domain, isAllowed, network), readSrv(domain, network)])
  if (described !== null) return { server: described, isSure: true }
  if (listed === null) return null
  return { server: listed, isSure: listed.host === domain || listed.host.endsWith(`.${domain}`) }
}

async function readSrv(domain: string, network: DiscoveryNetwork): Promise<SmtpServer | null> {
  const resolveSrv = network.resolveSrv ?? ((name) => createResolver(network.nameServers).resolveSrv(name))
  for (const { name, port, security } of services) {
    const records = await resolveSrv(`${name}.${domain}`).catch(() => []) // No record and no answer are treated alike.
    const [best] = records
      .filter((record) => record.port === port && isHostName(record.name))
      .sort((a, b) => a.priority - b.priority || b.weight - a.weight)
    if (best) return { host: best.name.toLowerCase(), port, security }
  }
  return null
}
