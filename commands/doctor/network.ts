import { lookup, resolveTxt } from 'node:dns/promises'
import type { SmtpServer } from '../../server/domain/mailboxes/mailbox.ts'
import { mailboxSentences } from '../../contract/mail/mailbox-sentences.ts'
import { connect } from '../../server/mailer/smtp/connect.ts'
import { mailServers, type SmtpEndpoint } from '../../server/mailer/smtp/providers.ts'
import { SmtpError } from '../../server/mailer/smtp/smtp-error.ts'
import { warn, fail, ok, type Finding } from './finding.ts'

/** Name resolution and connections; replaced in tests. */
export interface Network {
  lookup: (host: string) => Promise<unknown>
  resolveTxt: (name: string) => Promise<string[][]>
  connect: (endpoint: SmtpEndpoint) => Promise<void>
}

const timeoutMs = 5000

export const realNetwork: Network = {
  lookup: (host) => lookup(host),
  resolveTxt,
  async connect(endpoint) {
    const socket = await connect(endpoint, AbortSignal.timeout(timeoutMs))
    socket.destroy()
  },
}

/** Detects an untrusted proxy. `seenAt`: when X-Forwarded-For arrived last; null for never. */
export function checkProxies(trustedProxies: readonly string[], seenAt: Date | null): Finding {
  if (trustedProxies.length > 0) return ok('proxies', `${trustedProxies.join(', ')} may say who the client is.`)
  if (seenAt === null) return ok('proxies', 'No X-Forwarded-For has arrived, and no proxy is trusted.')
  return warn(
    'proxies',
    `X-Forwarded-For arrived on ${seenAt.toISOString().slice(0, 10)} and TRUSTED_PROXIES is empty: all visitors behind a proxy share its limits. Set TRUSTED_PROXIES to the proxy’s address if it is yours.`,
  )
}

/** Checks that host names resolve: those of the providers and of the settings. */
export async function checkNames(hosts: readonly string[], network: Network): Promise<Finding[]> {
  const all = [...new Set([...providerEndpoints().map(({ host }) => host), ...hosts])]
  const found = await Promise.all(all.map(async (host) => ({ host, error: await failure(network.lookup(host)) })))
  const lost = found.filter(({ error }) => error !== null)
  if (lost.length === 0) return [ok('dns', `${all.length} names were found.`)]
  if (lost.length === all.length) {
    return [fail('dns', 'DNS lookups fail: check this machine’s network and its resolver (/etc/resolv.conf).')]
  }
  return lost.map(({ host, error }) => fail('dns', `${host} cannot be looked up (${error ?? ''}): check its spelling.`))
}

/** Checks that the providers’ ports are reachable: many networks block them. */
export async function checkPorts(network: Network): Promise<Finding[]> {
  return Promise.all(
    providerEndpoints().map(async (endpoint) => {
      const place = `${endpoint.host}:${endpoint.port}`
      try {
        await network.connect(endpoint)
        return ok('network', `${place} can be reached.`)
      } catch (error) {
        if (!(error instanceof SmtpError)) throw error
        const why = error.failure.systemCode ?? 'no answer'
        return warn(
          'network',
          `${place} cannot be reached (${why}): ask whether this network blocks outgoing mail ports.`,
        )
      }
    }),
  )
}

/** Checks a domain’s SPF and DMARC records, without which much of its mail is treated as spam. */
export async function checkDomain(domain: string, network: Network): Promise<Finding[]> {
  const find = async (name: string, beginning: string) => {
    try {
      const records = await network.resolveTxt(name)
      return records.some((parts) => parts.join('').toLowerCase().startsWith(beginning))
    } catch {
      return false // A missing record and a missing response are treated alike.
    }
  }
  const [spf, dmarc] = await Promise.all([find(domain, 'v=spf1'), find(`_dmarc.${domain}`, 'v=dmarc1')])
  return [
    spf
      ? ok('spf', `${domain} has an SPF record.`)
      : warn('spf', `${domain} has no SPF record: add the one that the mail provider asks for.`),
    dmarc
      ? ok('dmarc', `${domain} has a DMARC record.`)
      : warn('dmarc', `${domain} has no DMARC record: large receivers ask for one, v=DMARC1; p=none at least.`),
  ]
}

function providerEndpoints(): SmtpEndpoint[] {
  const providers: Record<'personal' | 'work', SmtpServer>[] = Object.values(mailServers)
  const servers = providers.flatMap(({ personal, work }) => [personal, work])
  const byHost = new Map(servers.map(({ host, port, security }) => [host, { host, port, security, isTrusted: false }]))
  return [...byHost.values()]
}

async function failure(work: Promise<unknown>): Promise<string | null> {
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve(mailboxSentences.timeout), timeoutMs).unref()
  })
  const ended = work.then(
    () => null,
    (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'no answer',
  )
  return Promise.race([ended, late])
}
