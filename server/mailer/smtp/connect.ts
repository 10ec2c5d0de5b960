import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect as connectSocket, isIP, type Socket } from 'node:net'
import { domainToASCII } from 'node:url'
import { isPublicAddress } from '../../domain/core/network-address.ts'
import type { SmtpEndpoint } from './providers.ts'
import { createSmtpError, toSmtpError } from './smtp-error.ts'

/** Returns every address of a host name. */
export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

const mailPorts: ReadonlySet<number> = new Set([465, 587])
/** Time before the next address of a host is tried in parallel (RFC 8305). */
const attemptTimeoutMs = 1000

/** Uses the system's resolver. */
export const lookupAll: Lookup = (host) => systemLookup(host, { all: true })

/**
 * Opens a TCP connection to a mail server. The name is looked up once, every address is checked, and only the checked
 * addresses are connected to, so DNS rebinding has no effect.
 * Throws SmtpError: FORBIDDEN_PORT, FORBIDDEN_CLEAR, FORBIDDEN_ADDRESS, or the system's error code.
 */
export async function connect(
  endpoint: SmtpEndpoint,
  signal: AbortSignal,
  lookup: Lookup = lookupAll,
): Promise<Socket> {
  if (!endpoint.isTrusted) {
    if (!mailPorts.has(endpoint.port)) throw createSmtpError('connect', 'FORBIDDEN_PORT')
    if (endpoint.security === 'none') throw createSmtpError('connect', 'FORBIDDEN_CLEAR')
  }
  try {
    const addresses = await resolveHost(endpoint.host, signal, lookup)
    if (!endpoint.isTrusted && !addresses.every(({ address }) => isPublicAddress(address))) {
      throw createSmtpError('connect', 'FORBIDDEN_ADDRESS')
    }
    return await connectToAddresses(endpoint, addresses, signal)
  } catch (error) {
    throw toSmtpError(error, 'connect', false)
  }
}

async function resolveHost(host: string, signal: AbortSignal, lookup: Lookup): Promise<readonly LookupAddress[]> {
  const name = isIP(host) ? host : domainToASCII(host)
  if (name === '' || /[^a-z0-9.:_-]/i.test(name)) throw createSmtpError('connect', 'ENOTFOUND')
  const addresses = await abortable(lookup(name), signal)
  if (addresses.length === 0) throw createSmtpError('connect', 'ENOTFOUND')
  return addresses
}

async function connectToAddresses(
  endpoint: SmtpEndpoint,
  addresses: readonly LookupAddress[],
  signal: AbortSignal,
): Promise<Socket> {
  const socket = connectSocket({
    host: endpoint.host,
    port: endpoint.port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeoutMs,
    lookup: (_host, { all }, callback) => {
      const first = addresses[0]
      if (all === true) callback(null, [...addresses])
      else callback(null, first?.address ?? '', first?.family)
    },
  })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    // A late error of an abandoned attempt needs a listener.
    socket.on('error', () => undefined)
    socket.destroy()
    throw error
  }
}

/** Makes a promise abortable that accepts no signal. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => {
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
