import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { authorize, authorizeAll } from '../domain/auth/authorize.ts'
import { createIsTrustedProxy } from '../domain/limits/client-limits.ts'
import { clientAddress, clientNetwork } from '../domain/tracking/client-network.ts'
import { createTrackingDoor } from '../http/tracking/door.ts'
import { addTrackingDomainRoutes } from '../http/tracking/tracking-domain.ts'
import { createTrackingHostCheck } from '../mailer/links/tracking-host.ts'
import { HitJournal } from '../http/tracking/hit-journal.ts'
import { createWorkspaceNumbers } from '../store/directory/workspace-number.ts'
import { readJournalPosition, writeHits } from '../store/events/inbox.ts'
import { createTrackingDomainStore } from '../store/tracking/tracking-domain.ts'
import { createTrackingStore } from '../store/tracking/tracking.ts'
import { describeAgent } from '../tracking/agent.ts'
import { defaultNetworks } from '../tracking/default-networks.ts'
import { readClick, readOpen, rememberLinkMacs } from '../tracking/link.ts'
import { readNetworks, type FindNetwork } from '../tracking/networks.ts'
import { StartError } from '../settings.ts'
import { readLegacyToken, readToken } from '../tracking/token.ts'
import { createFindLinkedMail } from '../usecases/tracking/find-linked-mail.ts'
import { createBackgroundWorker } from '../usecases/core/background-worker.ts'
import { startHitWriter } from '../usecases/tracking/hit-writer.ts'
import { createTrackingDomains } from '../usecases/tracking/tracking-domains.ts'
import { mailToAccount } from './accounts.ts'
import { logFailure } from './core/log-failure.ts'
import { secondMs, type Noun, type Parts, type ServerParts } from './core/parts.ts'
import { accountStores } from './stores/accounts.ts'

const system = authorizeAll({ kind: 'system', task: 'tracking' })
const hostsReadMs = 10 * secondMs
const checkPollMs = 60 * secondMs
const minuteMs = 60 * secondMs
const hashesMaxCount = 10_000

export const trackingStore = ({ database }: Parts) => createTrackingStore(database)

export const workspaceNumbers = ({ database }: Parts) => createWorkspaceNumbers(database.pool)

const trackingDomainStore = ({ database }: Parts) => createTrackingDomainStore(database)

/** Hosts of tracking domains, read again within seconds of a change by another process. */
function trackingHosts({ log, onStop, resolve }: ServerParts) {
  let hosts: ReadonlySet<string> = new Set()
  const read = async () => {
    hosts = new Set(await resolve(trackingDomainStore).listHosts(system))
  }
  const refresh = () => void read().catch(logFailure(log, 'The hosts of tracking domains could not be read'))
  refresh()
  const timer = setInterval(refresh, hostsReadMs)
  timer.unref()
  onStop(() => clearInterval(timer))
  return { has: (host: string) => hosts.has(host), refresh }
}

/** Tracking domains. */
export const trackingDomains: Noun = {
  addRoutes(add, parts) {
    const { log, newId, now, onStop, publicUrl, resolve, systemMailbox, trackingNetwork, wakeSender } = parts
    const store = resolve(trackingDomainStore)
    const target = new URL(publicUrl).hostname
    const { accountMails } = resolve(accountStores)
    const domains = createTrackingDomains({
      domains: store,
      checkHost: createTrackingHostCheck(trackingNetwork),
      target,
      mailTo: resolve(mailToAccount),
      async sendMail(mail) {
        await accountMails.accept(mail)
        wakeSender(systemMailbox)
      },
      scopeOf: (workspaceId) => authorize({ kind: 'system', task: 'tracking' }, 'workspace:write', workspaceId),
      onChanged: () => resolve(trackingHosts).refresh(),
      now,
      newId,
    })
    addTrackingDomainRoutes(add, domains, { target, isKnown: (host) => store.isKnown(system, host) })
    const worker = createBackgroundWorker({
      claim: () => store.claimDue(system, now()),
      run: (due) => domains.runDue(due),
      onError: logFailure(log, 'A tracking domain could not be checked'),
      pollMs: checkPollMs,
    })
    worker.start()
    onStop(() => worker.close())
  },
}

/** Finds the mail of a link's token. */
export const findLinkedMail = ({ vault, resolve }: Parts) =>
  createFindLinkedMail({
    readToken: (token) => readToken(vault.mailKeys(), token),
    readLegacyToken: (token) => readLegacyToken(vault.linkKeys, token),
    directory: resolve(workspaceNumbers),
    system,
  })

/** Answers the requests of tracked mails, and moves the hits to the database. */
export function trackingDoor(parts: ServerParts) {
  const { vault, database, dataDir, settings, metrics, log, newId, now, onStop, resolve } = parts
  const findNetwork = readNetworksFile(settings.networksFile)
  const journal = new HitJournal({ folder: join(dataDir, 'hits'), newId, nowMs: () => now().getTime() })
  const stop = startHitWriter({
    journal,
    inbox: {
      readPosition: (writer) => readJournalPosition(system, writer, database.pool),
      writeHits: (batch) => writeHits(system, batch, database.pool),
    },
    directory: resolve(workspaceNumbers),
    system,
    describeAgent,
    log,
    noteUnknown: (count) => metrics.noteHits('any', 'unknown', count),
  })
  onStop(stop)
  const isTrustedProxy = createIsTrustedProxy(settings.trustedProxies)
  const hashNetwork = createNetworkHash(vault.derive, now)
  const linkMacOf = rememberLinkMacs()
  // The key file is looked at only for a link that no known key has signed: a system call for each hit took a tenth of its time.
  const readSigned = <T>(read: (keys: readonly KeyObject[]) => T | null): T | null => {
    const known = vault.knownMailKeys()
    const found = read(known)
    if (found !== null) return found
    const keys = vault.mailKeys()
    return keys === known ? null : read(keys)
  }
  return createTrackingDoor({
    readOpen: (path) => readSigned((keys) => readOpen(keys, path)),
    readClick: (path, query) => readSigned((keys) => readClick(keys, path, query, linkMacOf)),
    journal,
    describeNetwork: (address) => ({ netHash: hashNetwork(address), netLabel: findNetwork(address) }),
    clientAddress: ({ socket, headers }) =>
      clientAddress(socket.remoteAddress ?? '', [headers['x-forwarded-for']].flat().join(','), isTrustedProxy),
    isTrackingHost: (host) => parts.resolve(trackingHosts).has(host),
    now,
    noteHit: (kind, outcome) => metrics.noteHits(kind, outcome, 1),
  })
}

/** The operator's networks file, read once at the start. Throws StartError. */
function readNetworksFile(path: string | null): FindNetwork {
  if (path === null) return readNetworks(defaultNetworks)
  try {
    return readNetworks(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`NETWORKS_FILE “${path}” cannot be used: ${reason}. Correct the file, or remove the setting.`)
  }
}

/**
 * Hashes networks under a key of the day, so that they cannot be compared over days. Hashes are reused for a minute, as a proxy
 * loads the images of many mails; a network is held no longer.
 */
function createNetworkHash(derive: (name: string) => Buffer, now: () => Date): (address: string) => Buffer {
  let day = ''
  // A key object: one of bytes costs more to prepare than the hash itself.
  let key = createSecretKey(Buffer.alloc(1))
  let minute = 0
  const hashes = new Map<string, Buffer>()
  return (address) => {
    const time = now()
    const current = Math.floor(time.getTime() / minuteMs)
    if (current !== minute || hashes.size >= hashesMaxCount) hashes.clear()
    minute = current
    const network = clientNetwork(address)
    const known = hashes.get(network)
    if (known !== undefined) return known
    const today = time.toISOString().slice(0, 10)
    if (today !== day) key = createSecretKey(derive(`networks of ${today}`))
    day = today
    const hash = createHmac('sha256', key).update(network).digest().subarray(0, 8)
    hashes.set(network, hash)
    return hash
  }
}
