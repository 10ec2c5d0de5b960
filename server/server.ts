import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { sandboxAddress } from '../contract/mail/config.limits.ts'
import { parseAddress } from '../contract/core/address.ts'
import { composeApp } from './compose/core/app.ts'
import { firstResultWatch } from './compose/messages.ts'
import { openParts } from './compose/core/open-parts.ts'
import { withResolve, type ServerParts } from './compose/core/parts.ts'
import { trackingDoor } from './compose/tracking.ts'
import { prepareDemo, sandboxMessageStore } from './compose/core/sandbox.ts'
import { mailboxStores } from './compose/stores/mailboxes.ts'
import { clientLimits, createIsTrustedProxy, type ClientLimits } from './domain/limits/client-limits.ts'
import { formatToken, tokenBytes, type TokenKind } from './domain/auth/token.ts'
import { createClientConnections } from './http/limits/client-connections.ts'
import { listen, type HttpListener } from './http/core/http-listener.ts'
import { createOAuthClient } from './oidc/oauth-client.ts'
import { isRealtimeUpgrade } from './http/hosted/realtime.ts'
import { parseSystemSmtp } from './mailer/queue/mailbox.ts'
import type { TrackingNetwork } from './mailer/links/tracking-host.ts'
import type { SmtpPermissions } from './mailer/smtp/providers.ts'
import { startSandboxServer, type SandboxMail } from './mailer/smtp/sandbox-server.ts'
import { createSecurityLog } from './security-log.ts'
import { composeInboxReader } from './compose/inbox.ts'
import type { ImapPermissions } from './inbox/providers.ts'
import { startImapServer } from './sandbox/imap/imap-server.ts'
import type { MailStore } from './sandbox/imap/mail-store.ts'
import { composeSender } from './compose/core/sender.ts'
import { isLoopbackHost, StartError, type Settings } from './settings.ts'
import { lockDataFolder } from './postgres/data-folder-lock.ts'
import type { Demo } from './usecases/sandbox/prepare-demo.ts'
import { authorizeAll } from './domain/auth/authorize.ts'
import type { MailboxKey } from './domain/messages/delivery.ts'

/** External dependencies: everything that a test may replace. */
export interface Surroundings {
  log: Logger
  version: string
  now: () => Date
  /** Monotonic milliseconds, independent of the clock. */
  tickMs: () => number
  newId: () => string
  randomBytes: (count: number) => Buffer
  /** From 0 up to 1; for the jitter of retries. */
  random: () => number
  /** The built library of templates; it need not exist. */
  libraryFile: string
  /** Replaces the default ones. */
  clientLimits?: Partial<ClientLimits>
  /** Aborts a start in progress and closes what it has opened. */
  signal: AbortSignal
  /** The network in which tracking domains are checked, in place of the internet. */
  trackingNetwork?: TrackingNetwork
  /** Receives the error output of child processes, in place of this process's own. */
  errorOutput?: Writable
}

/** A server that accepts requests and sends. */
export interface RunningServer {
  url: string
  /** The demo workspace; null where the sandbox is off. */
  demo: Demo | null
  /** The mailbox of the IMAP stand-in; null where the sandbox is off. */
  sandboxMailbox: MailStore | null
  /** Rejects new requests, completes those in flight (25 s at most) and closes everything. */
  stop: () => Promise<void>
}

const graceMs = 25_000
const readyPollMs = 10
const pagesFolder = fileURLToPath(new URL('../dist/dashboard', import.meta.url))
const builtEmbedFolder = fileURLToPath(new URL('../dist/embed', import.meta.url))

/** Starts everything, in the order of ARCHITECTURE.md. A failed start leaves nothing running. */
export async function startServer(settings: Settings, world: Surroundings): Promise<RunningServer> {
  await using undo = new AsyncDisposableStack()
  const { log, now, signal } = world

  const folder = await lockDataFolder(settings.dataDir)
  undo.defer(() => folder.release())
  const limits = { ...clientLimits, ...world.clientLimits }
  const door = await openDoor(settings, limits)
  undo.defer(() => door.close())
  const url = addressOf(settings.host, door.port)
  const publicUrl = settings.publicUrl ?? url

  signal.throwIfAborted()
  const made = new Map<unknown, unknown>()
  const opened = await openParts(settings, folder, world, undo, made)
  signal.throwIfAborted()
  const sandbox = settings.sandbox ? await startSandbox(opened.resolve(sandboxMessageStore), world, undo) : null
  const imapPermissions: ImapPermissions = { allow: settings.imapAllow, sandboxPort: sandbox?.imapPort ?? null }
  const systemSmtp = settings.systemSmtpUrl ? parseSystemSmtp(settings.systemSmtpUrl) : null
  if (!systemSmtp && !sandbox) log.warn('SYSTEM_SMTP_URL is not set: account mails wait until it is')
  const smtpPermissions: SmtpPermissions = { allow: settings.smtpAllow, sandboxPort: sandbox?.smtpPort ?? null }
  const oauth = createOAuthClient(settings.mailApplications, `${publicUrl}/dashboard/email_config`, () =>
    now().getTime(),
  )
  const sender = composeSender(opened, {
    oauth,
    dataDir: folder.path,
    publicUrl,
    permissions: smtpPermissions,
    systemSmtp,
    onOutcomesWritten: (messageIds) => opened.resolve(firstResultWatch).notify(messageIds),
    random: world.random,
  })
  const reader = composeInboxReader(opened, { oauth, imapPermissions, random: world.random })
  const isSending = () => settings.workerCount === 0 || sender.isReady()

  const stops: (() => Promise<void> | void)[] = []
  const { mailboxes } = opened.resolve(mailboxStores)
  const parts: ServerParts = withResolve(
    {
      ...opened,
      publicUrl,
      version: world.version,
      dataDir: folder.path,
      builtEmbedFolder,
      libraryFile: world.libraryFile,
      clientLimits: limits,
      systemMailbox: await mailboxes.ensureSystemMailbox(
        authorizeAll({ kind: 'system', task: 'start' }),
        systemAddress(settings, publicUrl),
      ),
      isSandboxOn: sandbox !== null,
      isSenderReady: isSending,
      wakeSender: (mailbox?: MailboxKey) => sender.wake(mailbox),
      smtpPermissions,
      imapPermissions,
      sandboxImap: sandbox?.mailbox ?? null,
      oauth,
      noteSecurityEvent: createSecurityLog(log),
      newToken: (kind: TokenKind) => formatToken(kind, world.randomBytes(tokenBytes)),
      onStop: (stop: () => Promise<void> | void) => void stops.push(stop),
      errorOutput: world.errorOutput ?? null,
      trackingNetwork: world.trackingNetwork ?? {},
    },
    made,
  )
  const http = await composeApp(parts, pagesFolder)
  undo.defer(() => http.close())
  await http.ready()
  const demo = sandbox && (await parts.resolve(prepareDemo))

  signal.throwIfAborted()
  if (settings.workerCount > 0) {
    undo.defer(() => sender.stop(0))
    sender.start()
  }
  const tracking = parts.resolve(trackingDoor)
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    if (!tracking.handle(request, response)) http.routing(request, response)
  }
  if (settings.readsInbox) {
    undo.defer(() => reader.stop())
    reader.start()
  }
  door.serve(handle, {
    isWanted: isRealtimeUpgrade,
    handle: (request, socket, head) => http.server.emit('upgrade', request, socket, head),
  })

  // A caller may send requests as soon as it reads that the server is ready.
  while (!isSending()) await sleep(readyPollMs, undefined, { signal })

  const everything = undo.move()
  const stop = async () => {
    await Promise.all([...stops.map((end) => end()), door.drain(graceMs), sender.stop(graceMs)])
    await everything.disposeAsync()
  }
  return { url, demo, sandboxMailbox: sandbox?.mailbox ?? null, stop }
}

interface SandboxInbox {
  insert: (mail: SandboxMail, isRetry: boolean) => Promise<void>
}

/** The sandbox's mail server and the stand-in of its mailbox. */
async function startSandbox(inbox: SandboxInbox, { log, now }: Surroundings, undo: AsyncDisposableStack) {
  // The start's second as UIDVALIDITY: the stand-in keeps its mails in memory.
  const imap = await startImapServer(Math.floor(now().getTime() / 1000))
  undo.defer(() => imap.close())
  const smtp = await startSandboxServer({ inbox: withOwnMailbox(inbox, imap.store, now), log })
  undo.defer(() => smtp.close())
  return { smtpPort: smtp.port, imapPort: imap.port, mailbox: imap.store }
}

/** Mails to the sandbox's own address arrive in its INBOX, too. */
function withOwnMailbox(inbox: SandboxInbox, store: MailStore, now: () => Date) {
  return {
    async insert(mail: SandboxMail, isRetry: boolean) {
      await inbox.insert(mail, isRetry)
      if (mail.to.some((address) => address.toLowerCase() === sandboxAddress)) store.append('INBOX', mail.raw, now())
    },
  }
}

async function openDoor({ host, port, trustedProxies }: Settings, limits: ClientLimits): Promise<HttpListener> {
  const isTrustedProxy = createIsTrustedProxy(trustedProxies)
  const connections = createClientConnections({ maxCount: limits.connectionsMaxCount, isTrustedProxy })
  try {
    return await listen({ host, port }, connections)
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} is in use; stop the program that uses it, or set PORT to another.`,
      EACCES: `Port ${port} is not allowed to this user; set PORT to 1024 or above.`,
      EADDRNOTAVAIL: `HOST is “${host}”, which is no address of this machine; set it to one that is.`,
      ENOTFOUND: `HOST is “${host}”, which cannot be resolved; set it to an address of this machine.`,
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

/** The sender of account mails: from SYSTEM_SMTP_URL, else no-reply at the public host. */
function systemAddress({ systemSmtpUrl }: Settings, publicUrl: string): string {
  const named = systemSmtpUrl?.searchParams.get('from') ?? decodeURIComponent(systemSmtpUrl?.username ?? '')
  const parsed = parseAddress(named)
  if (parsed.ok) return parsed.address
  const fallback = parseAddress(`no-reply@${new URL(publicUrl).hostname}`)
  if (fallback.ok) return fallback.address
  if (systemSmtpUrl === null) return 'no-reply@localhost'
  throw new StartError('SYSTEM_SMTP_URL names no sender; add ?from=you@example.com to it.')
}
