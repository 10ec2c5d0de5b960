import type { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { SystemMailbox } from '../../domain/accounts/account-mail.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import type { TokenKind } from '../../domain/auth/token.ts'
import type { ClientLimits } from '../../domain/limits/client-limits.ts'
import type { AddRoute } from '../../http/core/route.ts'
import type { MaintenanceTask } from '../../mailer/queue/sender-ports.ts'
import type { ImapPermissions } from '../../inbox/providers.ts'
import type { MailStore } from '../../sandbox/imap/mail-store.ts'
import type { TrackingNetwork } from '../../mailer/links/tracking-host.ts'
import type { SmtpPermissions } from '../../mailer/smtp/providers.ts'
import type { Metrics } from '../../metrics.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import type { Settings } from '../../settings.ts'
import type { ClockWatch } from '../../store/core/clock-watch.ts'
import type { Connection, Database } from '../../store/core/database.ts'
import type { Vault } from '../../store/vault/vault.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'
import type { SystemScope } from '../../domain/auth/scope.ts'

/** Dependencies of stores, in a server and in a worker. */
export interface Parts {
  settings: Settings
  database: Database
  /** The database past a pooler, for features that a pooler does not support. */
  direct: Connection
  vault: Vault
  clock: ClockWatch
  metrics: Metrics
  log: Logger
  now: () => Date
  /** Monotonic milliseconds, independent of the clock. */
  tickMs: () => number
  newId: () => string
  /** The result of `create` for these parts: created at the first call, the same at every later one. */
  resolve: <T>(create: (parts: Parts) => T) => T
}

/** Dependencies of use cases and routes, in a server. */
export interface ServerParts extends Parts {
  publicUrl: string
  version: string
  dataDir: string
  /** The build's embed, before it is published. */
  builtEmbedFolder: string
  libraryFile: string
  clientLimits: ClientLimits
  systemMailbox: SystemMailbox
  isSandboxOn: boolean
  isSenderReady: () => boolean
  wakeSender: (mailbox?: MailboxKey) => void
  smtpPermissions: SmtpPermissions
  imapPermissions: ImapPermissions
  /** Puts mails into the sandbox's IMAP mailbox; null while the sandbox is off. */
  sandboxImap: MailStore | null
  oauth: OAuthClient
  noteSecurityEvent: NoteSecurityEvent
  newToken: (kind: TokenKind) => string
  /** Runs `stop` as soon as the server stops, while requests in flight are completed. */
  onStop: (stop: () => Promise<void> | void) => void
  /** Receives the error output of child processes; null: the error output of this process. */
  errorOutput: Writable | null
  /** Where tracking domains are checked. */
  trackingNetwork: TrackingNetwork
  resolve: <T>(create: (parts: ServerParts) => T) => T
}

/** The parts of one noun in a process. */
export interface Noun {
  /** Maintenance tasks of the sender in each process. */
  maintenance?: (parts: Parts, system: SystemScope) => MaintenanceTask[]
  /** Hooks for every request, before all others. */
  addHooks?: (app: FastifyInstance, parts: ServerParts) => Promise<void> | void
  addRoutes?: (add: AddRoute, parts: ServerParts, app: FastifyInstance) => Promise<void> | void
  /** Routes whose body is read as a stream. */
  addStreamRoutes?: (add: AddRoute, parts: ServerParts) => void
}

/** Adds `resolve` to parts. Instances already created for `made` are not created again. */
export function withResolve<P extends object>(
  parts: P,
  instances = new Map<unknown, unknown>(),
): P & { resolve: <T>(create: (parts: never) => T) => T } {
  const all = {
    ...parts,
    resolve<T>(create: (parts: never) => T): T {
      if (!instances.has(create)) instances.set(create, create(all as never))
      return instances.get(create) as T
    },
  }
  return all
}

/** A function that creates tokens of one kind. */
export function tokenOf({ newToken }: Pick<ServerParts, 'newToken'>, kind: TokenKind): () => string {
  return () => newToken(kind)
}

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
