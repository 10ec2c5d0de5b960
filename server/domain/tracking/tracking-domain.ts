import { isIP } from 'node:net'
import { parse } from 'tldts'

/** A host of a workspace for the links of its mails. */
export interface TrackingDomainRow {
  id: string
  host: string
  state: 'pending' | 'active' | 'failing'
  createdAt: Date
  checkedAt: Date | null
  failingSince: Date | null
  /** What to correct. */
  error: string | null
}

/** Why a host cannot be used. */
export type HostFault =
  | { kind: 'no_record' }
  | { kind: 'leads_elsewhere'; to: string }
  | { kind: 'loop'; names: readonly string[] }
  | { kind: 'private' }
  | { kind: 'no_answer' }
  | { kind: 'certificate'; reason: string }
  | { kind: 'not_ours' }

/** Suffixes of networks without public names (RFC 6761, RFC 6762, RFC 8375). */
const privateSuffixes = /\.(?:localhost|local|internal|intranet|lan|home|corp|test|example|invalid|onion|home\.arpa)$/

/**
 * The host in lower case and ASCII; null unless it is a subdomain with a public suffix. A host of `ownHost`'s domain is the
 * deployment's, whose other pages it would hide.
 */
export function readTrackingHost(text: string, ownHost: string): string | null {
  const given = text.trim().replace(/\.$/, '')
  if (!/^[^\s/:@?#[\]]{1,253}$/u.test(given)) return null
  const url = URL.parse(`https://${given}/`)
  if (url === null || isIP(url.hostname) !== 0 || privateSuffixes.test(url.hostname)) return null
  const { hostname, domain, subdomain, isIcann, isPrivate } = parse(url.hostname, { allowPrivateDomains: false })
  if (hostname === null || domain === null || subdomain === null || subdomain === '') return null
  if (isIcann !== true && isPrivate !== true) return null
  return parse(ownHost).domain === domain ? null : hostname
}

/** A fault as a sentence that says what to correct. `target`: where the CNAME is to lead. */
export function faultSentence(host: string, target: string, fault: HostFault): string {
  switch (fault.kind) {
    case 'no_record':
      return `${host} has no CNAME record. Create it with the value ${target}. A new record may take an hour to be seen.`
    case 'leads_elsewhere':
      return `The CNAME record of ${host} leads to ${fault.to}. Change its value to ${target}.`
    case 'loop':
      return `The CNAME records of ${host} form a loop: ${fault.names.join(' → ')}. Change the value of the first to ${target}.`
    case 'private':
      return `${host} leads to a private address. Point its CNAME record to ${target}, which is reached from the internet.`
    case 'no_answer':
      return `${host} does not answer on port 443. Check that the server accepts HTTPS for this name.`
    case 'certificate':
      return `The certificate of ${host} is not valid for it (${fault.reason}). Install one that is issued for ${host}.`
    case 'not_ours':
      return `${host} answers, but not as this server. Check that the proxy passes requests for this name on.`
  }
}
