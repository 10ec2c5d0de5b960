import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Readiness } from '../contract/core/health.ts'
import { parseAddress } from '../contract/core/address.ts'
import { createProofOfWork } from './altcha/proof-of-work.ts'
import { composeHosted } from './hosted.ts'
import { createCallRate } from './domain/limits/call-rate.ts'
import { clientLimits, createIsTrustedProxy, type ClientLimits } from './domain/limits/client-limits.ts'
import { formatToken, tokenBytes, type TokenKind } from './domain/auth/token.ts'
import { finishGoogleSignIn } from '../contract/account/google.ts'
import { createGoogle } from './oidc/openid.ts'
import { createStandInIssuer } from './oidc/stand-in-issuer.ts'
import { createApp } from './http/core/app.ts'
import { createClientConnections } from './http/limits/client-connections.ts'
import { listen, type HttpListener } from './http/core/http-listener.ts'
import { createMetrics } from './metrics.ts'
import { discoverServer } from './mailer/discovery/discover-server.ts'
import { createOAuthClient } from './oidc/oauth-client.ts'
import { isRealtimeUpgrade } from './http/hosted/realtime.ts'
import { parseSystemSmtp } from './mailer/queue/mailbox.ts'
import type { SmtpPermissions } from './mailer/smtp/providers.ts'
import { startSandboxServer } from './mailer/smtp/sandbox-server.ts'
import { createFirstResultWatch } from './mailer/queue/first-result.ts'
import { verifyMailbox } from './mailer/smtp/verify-mailbox.ts'
import { createSecurityLog } from './security-log.ts'
import { composeSender } from './compose/sender.ts'
import { isLoopbackHost, StartError, type Settings } from './settings.ts'
import { lockDataFolder } from './postgres/data-folder-lock.ts'
import { publishEmbed } from './store/embeds/embed-files.ts'
import { createForwardedMark } from './store/core/forwarded-mark.ts'
import { readLibraryFile } from './store/hosted/library-file.ts'
import { createPasswordFile } from './postgres/password-file.ts'
import { openStores } from './stores.ts'
import { createUseCases } from './use-cases.ts'
import type { Demo } from './usecases/sandbox/prepare-demo.ts'

/** What the world gives: everything that a test may want to hand in instead. */
export interface Surroundings {
  log: Logger
  version: string
  now: () => Date
  /** Milliseconds that only ever grow, whatever happens to the clock. */
  tickMs: () => number
  newId: () => string
  randomBytes: (count: number) => Buffer
  /** From 0 up to 1; for spreading retries. */
  random: () => number
  /** Where the build has put the library of templates; it need not be there. */
  libraryFile: string
  /** In place of the usual ones. */
  clientLimits?: Partial<ClientLimits>
  /** Ends a start that is under way: what was begun is undone. */
  signal: AbortSignal
}

/** A server that takes requests and sends. */
export interface RunningServer {
  url: string
  /** The demo workspace; null where the sandbox is off. */
  demo: Demo | null
  /** Refuses new work, finishes what is in flight (25 s at most) and ends everything. */
  stop: () => Promise<void>
}

const graceMs = 25_000
const readyPollMs = 10
const pagesFolder = fileURLToPath(new URL('../dist/dashboard', import.meta.url))
const builtEmbedFolder = fileURLToPath(new URL('../dist/embed', import.meta.url))

/** Starts everything, in the order of ARCHITECTURE.md. A start that fails leaves nothing running. */
export async function startServer(settings: Settings, world: Surroundings): Promise<RunningServer> {
  await using undo = new AsyncDisposableStack()
  const { log, now, newId, random, signal } = world
  const newToken = (kind: TokenKind) => formatToken(kind, world.randomBytes(tokenBytes))

  const folder = await lockDataFolder(settings.dataDir)
  undo.defer(() => folder.release())
  const limits = { ...clientLimits, ...world.clientLimits }
  const door = await openDoor(settings, limits)
  undo.defer(() => door.close())
  const url = addressOf(settings.host, door.port)
  const publicUrl = settings.publicUrl ?? url

  signal.throwIfAborted()
  const opened = await openStores(settings, folder, log, now, newId, world.tickMs)
  undo.defer(() => opened.close())
  const metrics = createMetrics(opened.readQueueDepth, world.tickMs)
  undo.defer(() => metrics.close())
  const stores = {
    ...opened,
    messages: {
      ...opened.messages,
      accept: metrics.timeAccept((...given: Parameters<typeof opened.messages.accept>) =>
        opened.messages.accept(...given),
      ),
    },
    queue: metrics.countOutcomes(opened.queue),
  }

  signal.throwIfAborted()
  const sandbox = settings.sandbox ? await startSandboxServer({ inbox: stores.sandboxMessages, log }) : null
  if (sandbox) undo.defer(() => sandbox.close())
  const systemSmtp = settings.systemSmtpUrl ? parseSystemSmtp(settings.systemSmtpUrl) : null
  if (!systemSmtp && !sandbox) log.warn('SYSTEM_SMTP_URL is not set: account mails wait until it is')
  const systemMailbox = await stores.configs.ensureSystemMailbox(systemAddress(settings, publicUrl))
  const permissions: SmtpPermissions = { allow: settings.smtpAllow, sandboxPort: sandbox?.port ?? null }

  const verdicts = createFirstResultWatch({ deliveries: stores.deliveries })
  const oauth = createOAuthClient(settings.mailApplications, `${publicUrl}/dashboard/email_config`, () =>
    now().getTime(),
  )
  const sender = composeSender({
    oauth,
    stores,
    dataDir: folder.path,
    publicUrl,
    permissions,
    systemSmtp,
    onOutcomesWritten: (messageIds) => verdicts.notify(messageIds),
    log,
    now,
    tickMs: world.tickMs,
    random,
    newId,
  })

  const redirectUrl = publicUrl + finishGoogleSignIn.path
  const standIn = sandbox && !settings.google ? createStandInIssuer(publicUrl, redirectUrl, now) : null
  const google = createGoogle(settings.google ?? standIn?.client ?? null, redirectUrl, (error) =>
    log.warn({ err: error }, 'Google sign-in did not work'),
  )
  const useCases = createUseCases({
    stores,
    verdicts,
    wakeSender: (mailboxId) => sender.wake(mailboxId),
    verifyMailbox: (login) => verifyMailbox(login, permissions),
    discoverServer: (emailAddress) => discoverServer(emailAddress, permissions),
    verifyTokens: ({ accessToken, ...mailbox }) =>
      verifyMailbox({ ...mailbox, server: null, appPassword: accessToken, isToken: true }, permissions),
    oauth,
    google,
    isSandboxOn: sandbox !== null,
    systemMailbox,
    publicUrl,
    isHostedElsewhere: settings.hosted !== null,
    readLibrary: () => readLibraryFile(world.libraryFile),
    log,
    noteSecurityEvent: createSecurityLog(log),
    proofOfWork: createProofOfWork({ secret: stores.derive('proof of work'), now }),
    now,
    tickMs: world.tickMs,
    newId,
    newToken,
    rest: (ms) => sleep(ms),
  })
  if (settings.hosted === null) await useCases.plantLibrary()
  const hosted = composeHosted({ settings, publicUrl, stores, useCases, log })
  const isSending = () => settings.workerCount === 0 || sender.isReady()
  const embed = await publishEmbed(builtEmbedFolder, folder.path, newId)
  const { http, realtime } = await createApp({
    log,
    authenticate: useCases.authenticate,
    authenticateEmbed: useCases.authenticateEmbed,
    useCases,
    hosted: hosted.parts,
    callRate: createCallRate(settings.callsPerSecond, world.tickMs),
    doOnce: useCases.doOnce,
    sandbox: sandbox && stores.sandboxMessages,
    googleStandIn: standIn,
    health: {
      checkReadiness: async () => readiness(await stores.isReachable(), isSending()),
      version: world.version,
      publicUrl,
    },
    metrics: { ...metrics, token: settings.metricsToken },
    cookieKey: stores.cookieKey,
    trustedProxies: settings.trustedProxies,
    untrustedProxy: await readUntrustedProxy(settings, folder.path, log),
    clientLimits: limits,
    now,
    newId,
    pagesFolder,
    embedFolder: embed.folder,
  })
  undo.defer(() => http.close())
  await http.ready()
  undo.defer(hosted.start(realtime))
  const demo = sandbox && (await useCases.prepareDemo(createPasswordFile(join(folder.path, 'demo-password'))))

  signal.throwIfAborted()
  if (settings.workerCount > 0) {
    undo.defer(() => sender.stop(0))
    sender.start()
  }
  door.serve((request, response) => http.routing(request, response), {
    isWanted: isRealtimeUpgrade,
    handle: (request, socket, head) => http.server.emit('upgrade', request, socket, head),
  })

  // Whoever reads that it is ready may ask at once.
  while (!isSending()) await sleep(readyPollMs, undefined, { signal })

  const everything = undo.move()
  const stop = async () => {
    useCases.endStreams()
    await Promise.all([door.drain(graceMs), sender.stop(graceMs), realtime.stop()])
    await everything.disposeAsync()
  }
  return { url, demo, stop }
}

/** What an earlier run has seen of a proxy that nobody trusts; forgotten where one is trusted now. */
async function readUntrustedProxy({ trustedProxies }: Settings, dataDir: string, log: Logger) {
  const mark = createForwardedMark(dataDir)
  const fail = (error: unknown) => log.warn({ err: error }, 'What npm run doctor tells of proxies could not be kept')
  if (trustedProxies.length > 0) await mark.clear().catch(fail)
  const isKnown = (await mark.read()) !== null
  return { isKnown, onSeen: () => void mark.write().catch(fail) }
}

function readiness(database: boolean, sender: boolean): Readiness {
  return { status: database && sender ? 'ready' : 'starting', database, sender }
}

async function openDoor({ host, port, trustedProxies }: Settings, limits: ClientLimits): Promise<HttpListener> {
  const isTrustedProxy = createIsTrustedProxy(trustedProxies)
  const connections = createClientConnections({ maxCount: limits.connectionsMaxCount, isTrustedProxy })
  try {
    return await listen({ host, port }, connections)
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use; stop what listens there, or set PORT to another.`,
      EACCES: `Port ${port} is not allowed to this user; set PORT to 1024 or above.`,
      EADDRNOTAVAIL: `HOST is “${host}”, which is no address of this machine; set it to one that is.`,
      ENOTFOUND: `HOST is “${host}”, which cannot be looked up; set it to an address of this machine.`,
    }
    const sentence = reasons[(error as NodeJS.ErrnoException).code ?? '']
    throw sentence === undefined ? error : new StartError(sentence, { cause: error })
  }
}

function addressOf(host: string, port: number): string {
  const isEverywhere = host === '0.0.0.0' || host === '::'
  const name = isEverywhere || isLoopbackHost(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}${port === 80 ? '' : `:${port}`}`
}

/** What account mails are from: as SYSTEM_SMTP_URL says, else no-reply at the public host. */
function systemAddress({ systemSmtpUrl }: Settings, publicUrl: string): string {
  const named = systemSmtpUrl?.searchParams.get('from') ?? decodeURIComponent(systemSmtpUrl?.username ?? '')
  const parsed = parseAddress(named)
  if (parsed.ok) return parsed.address
  const fallback = parseAddress(`no-reply@${new URL(publicUrl).hostname}`)
  if (fallback.ok) return fallback.address
  if (systemSmtpUrl === null) return 'no-reply@localhost'
  throw new StartError('SYSTEM_SMTP_URL names no sender; add ?from=you@example.com to it.')
}
