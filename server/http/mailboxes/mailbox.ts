import * as contract from '../../../contract/mail/config.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { listDefaultCount, listMaxCount } from '../../../contract/core/limits.ts'
import { totalCountHeader } from '../../../contract/core/paging.ts'
import type { SignedInUser } from '../../domain/auth/caller.ts'
import type { MailboxRow, MailboxUsageRow, KnownLimits, SmtpServer } from '../../domain/mailboxes/mailbox.ts'
import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedCaller } from '../../domain/auth/embed.ts'
import { canUseMailbox } from '../../domain/auth/embed.ts'
import type { AddRoute } from '../core/route.ts'

/** Who begins a sign-in, and alone may finish it. */
interface SignInCaller {
  workspaceId: string
  userId: string
}

/** The use-cases behind the configuration calls. */
export interface MailboxUseCases {
  connectMailbox: (workspaceId: string, config: contract.NewConfig) => Promise<MailboxRow>
  startMailboxSignIn: (caller: SignInCaller, body: contract.MailboxSignIn) => Promise<string>
  finishMailboxSignIn: (caller: SignInCaller, given: { code: string; state: string }) => Promise<MailboxRow>
  listMailboxes: (
    workspaceId: string,
    page: { limit: number; offset: number },
  ) => Promise<{ rows: readonly MailboxRow[]; total: number }>
  listSignIns: () => contract.SignInProvider[]
  discoverMailServer: (
    workspaceId: string,
    emailAddress: string,
  ) => Promise<{ server: SmtpServer; isSure: boolean } | null>
  listMailboxUsage: (
    workspaceId: string,
    page: { limit: number; offset: number },
  ) => Promise<{ rows: readonly (MailboxUsageRow & { known: KnownLimits })[]; total: number }>
  updateMailbox: (workspaceId: string, id: string, changes: contract.ConfigChanges) => Promise<MailboxRow>
  rotateSecretKey: (workspaceId: string, id: string, resourceId: string | null) => Promise<MailboxRow>
  deleteMailbox: (workspaceId: string, id: string) => Promise<void>
  listEmbedMailboxes: (
    caller: EmbedCaller,
    page: { limit: number; offset: number },
  ) => Promise<{ rows: readonly MailboxRow[]; total: number }>
  connectEmbedMailbox: (caller: EmbedCaller, config: contract.NewConfig) => Promise<MailboxRow>
  requireEmbedMailbox: (caller: EmbedCaller, id: string) => void
  noteEmbedAct: (caller: EmbedCaller, act: EmbedAct) => Promise<void>
}

/** `/email/config` and `/email/configs` (spec §7). Their answers hold secret keys: nobody may keep a copy. */
export function addMailboxRoutes(add: AddRoute, useCases: MailboxUseCases): void {
  add(contract.addEmailConfig, async ({ body, caller, scope, reply }) => {
    void reply.header('cache-control', 'no-store')
    const add =
      caller.kind === 'embed'
        ? useCases.connectEmbedMailbox(caller, body)
        : useCases.connectMailbox(scope.workspaceId, body)
    return toConfig(await add)
  })

  add(contract.startMailboxSignIn, async ({ body, caller, reply }) => {
    void reply.header('cache-control', 'no-store')
    return { url: await useCases.startMailboxSignIn(toSignInCaller(caller), body) }
  })

  add(contract.finishMailboxSignIn, async ({ body, caller, reply }) => {
    void reply.header('cache-control', 'no-store')
    return toConfig(await useCases.finishMailboxSignIn(toSignInCaller(caller), body))
  })

  add(contract.listEmailConfigs, async ({ query, caller, scope, reply }) => {
    const page = { limit: query.limit ?? listDefaultCount, offset: query.offset ?? 0 }
    const list =
      caller.kind === 'embed'
        ? useCases.listEmbedMailboxes(caller, page)
        : useCases.listMailboxes(scope.workspaceId, page)
    const { rows, total } = await list
    void reply.headers({ 'cache-control': 'no-store', [totalCountHeader]: total })
    return rows.map(toConfig)
  })

  add(contract.listMailboxSignIns, () => Promise.resolve(useCases.listSignIns()))

  add(contract.discoverMailServer, async ({ body, scope }) => {
    const found = await useCases.discoverMailServer(scope.workspaceId, body.email_address)
    if (found === null) return { server: null }
    const { host, port, security } = found.server
    return { server: { smtp_host: host, smtp_port: port, smtp_security: security, is_sure: found.isSure } }
  })

  add(contract.listConfigUsage, async ({ query, caller, scope, reply }) => {
    const page = { limit: query.limit ?? listDefaultCount, offset: query.offset ?? 0 }
    const isEmbed = caller.kind === 'embed'
    const found = await useCases.listMailboxUsage(
      scope.workspaceId,
      isEmbed ? { limit: listMaxCount, offset: 0 } : page,
    )
    const own = isEmbed ? found.rows.filter(({ id }) => canUseMailbox(caller.grant, id)) : found.rows
    void reply.headers({ 'cache-control': 'no-store', [totalCountHeader]: isEmbed ? own.length : found.total })
    return (isEmbed ? own.slice(page.offset, page.offset + page.limit) : own).map((row) => toUsage(row, !isEmbed))
  })

  add(contract.updateEmailConfig, async ({ params, body, caller, scope, reply }) => {
    void reply.header('cache-control', 'no-store')
    if (caller.kind !== 'embed') return toConfig(await useCases.updateMailbox(scope.workspaceId, params.id, body))
    useCases.requireEmbedMailbox(caller, params.id)
    const { status, limit_per_minute: perMinute, limit_per_day: perDay, limit_connections: connections } = body
    // A page pauses and resumes; what the mailbox may send is its owner's to say.
    if ([perMinute, perDay, connections].some((limit) => limit !== undefined)) throw new AppError('embed_forbidden')
    const changed = await useCases.updateMailbox(scope.workspaceId, params.id, status ? { status } : {})
    await useCases.noteEmbedAct(caller, 'config-changed')
    return toConfig({ ...changed, secretKey: caller.aliasOf(changed.id) })
  })

  add(contract.rotateSecretKey, async ({ params, scope, resourceId, reply }) => {
    void reply.header('cache-control', 'no-store')
    return toConfig(await useCases.rotateSecretKey(scope.workspaceId, params.id, resourceId))
  })

  add(contract.deleteEmailConfig, async ({ params, caller, scope }) => {
    if (caller.kind === 'embed') useCases.requireEmbedMailbox(caller, params.id)
    await useCases.deleteMailbox(scope.workspaceId, params.id)
    if (caller.kind === 'embed') await useCases.noteEmbedAct(caller, 'config-deleted')
    return null
  })
}

function toSignInCaller(caller: SignedInUser): SignInCaller {
  return { workspaceId: caller.workspace.id, userId: caller.userId }
}

function toConfig(row: MailboxRow): contract.Config {
  return {
    id: row.id,
    email_address: row.emailAddress,
    provider: row.provider,
    secret_key: row.secretKey,
    status: row.status,
    pause_reason: row.pauseReason,
    created_at: row.createdAt.toISOString(),
  }
}

function toUsage(row: MailboxUsageRow & { known: KnownLimits }, isOwner: boolean): contract.ConfigUsage {
  const { known, errorReply: reply, errorRecipient: recipient, errorAt } = row
  return {
    id: row.id,
    minute_count: row.minuteCount,
    minute_limit: row.limitPerMinute ?? known.perMinuteCount,
    day_count: row.dayCount,
    day_limit: row.limitPerDay ?? known.perDayCount,
    connection_limit: row.limitConnections ?? known.connectionCount,
    own_limits: isOwner
      ? {
          limit_per_minute: row.limitPerMinute,
          limit_per_day: row.limitPerDay,
          limit_connections: row.limitConnections,
        }
      : null,
    provider_limits: {
      limit_per_minute: known.perMinuteCount,
      limit_per_day: known.perDayCount,
      limit_connections: known.connectionCount,
    },
    last_error:
      reply !== null && recipient !== null && errorAt !== null ? { reply, recipient, at: errorAt.toISOString() } : null,
  }
}
