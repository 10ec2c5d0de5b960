import type { Scope } from '../../domain/auth/scope.ts'
import type { createMailboxService } from '../../usecases/mailboxes/update-mailbox.ts'
import type { createUseEmbedMailboxes } from '../../usecases/embeds/use-embed-mailboxes.ts'
import type { createConnectMailbox } from '../../usecases/mailboxes/connect-mailbox.ts'
import type { createStartMailboxSignIn } from '../../usecases/mailboxes/start-mailbox-sign-in.ts'
import type { createFinishMailboxSignIn } from '../../usecases/mailboxes/finish-mailbox-sign-in.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import type { createDiscoverMailServer } from '../../usecases/mailboxes/discover-mail-server.ts'
import type { createListMailboxUsage } from '../../usecases/quota/list-mailbox-usage.ts'
import type { createReadingService } from '../../usecases/inbox/reading-service.ts'
import type { createDeleteMailbox } from '../../usecases/mailboxes/delete-mailbox.ts'
import * as contract from '../../../contract/mail/config.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { listMaxCount } from '../../../contract/core/limits.ts'
import type { MailboxRow, MailboxUsageRow, KnownLimits } from '../../domain/mailboxes/mailbox.ts'
import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedCaller } from '../../domain/auth/embed.ts'
import { canUseMailbox } from '../../domain/auth/embed.ts'
import { readPage, setPageHeaders } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

/** The use cases of the mailbox calls. */
export interface MailboxUseCases
  extends ReturnType<typeof createMailboxService>, ReturnType<typeof createUseEmbedMailboxes> {
  connectMailbox: ReturnType<typeof createConnectMailbox>
  startMailboxSignIn: ReturnType<typeof createStartMailboxSignIn>
  finishMailboxSignIn: ReturnType<typeof createFinishMailboxSignIn>
  /** The workspace's mailboxes, oldest first. */
  listMailboxes: (scope: Scope, page: PageQuery) => Promise<Listed<MailboxRow>>
  listSignIns: () => contract.SignInProvider[]
  discoverMailServer: ReturnType<typeof createDiscoverMailServer>
  listMailboxUsage: ReturnType<typeof createListMailboxUsage>
  deleteMailbox: ReturnType<typeof createDeleteMailbox>
  changeReading: ReturnType<typeof createReadingService>['changeReading']
  noteEmbedAct: (scope: Scope, caller: EmbedCaller, act: EmbedAct) => Promise<void>
}

/** `/email/config` and `/email/configs` (spec §7). The responses contain secret keys and must not be cached. */
export function addMailboxRoutes(add: AddRoute, useCases: MailboxUseCases): void {
  add(contract.addEmailConfig, async ({ body, caller, scope }) => {
    const add =
      caller.kind === 'embed' ? useCases.connectEmbedMailbox(scope, caller, body) : useCases.connectMailbox(scope, body)
    return toConfig(await add)
  })

  add(contract.startMailboxSignIn, async ({ body, caller, scope }) => {
    return { url: await useCases.startMailboxSignIn(scope, caller.userId, body) }
  })

  add(contract.finishMailboxSignIn, async ({ body, caller, scope }) => {
    return toConfig(await useCases.finishMailboxSignIn(scope, caller.userId, body))
  })

  add(contract.listEmailConfigs, async ({ query, caller, scope, reply }) => {
    const page = readPage(query)
    const list =
      caller.kind === 'embed' ? useCases.listEmbedMailboxes(scope, caller, page) : useCases.listMailboxes(scope, page)
    const found = await list
    setPageHeaders(reply, found)
    return found.rows.map(toConfig)
  })

  add(contract.listMailboxSignIns, () => Promise.resolve(useCases.listSignIns()))

  add(contract.discoverMailServer, async ({ body, scope }) => {
    const found = await useCases.discoverMailServer(scope, body.email_address)
    if (found === null) return { server: null }
    const { host, port, security } = found.server
    return { server: { smtp_host: host, smtp_port: port, smtp_security: security, is_sure: found.isSure } }
  })

  add(contract.listConfigUsage, async ({ query, caller, scope, reply }) => {
    const page = readPage(query)
    const isEmbed = caller.kind === 'embed'
    const found = await useCases.listMailboxUsage(scope, isEmbed ? { limit: listMaxCount, offset: 0 } : page)
    const own = isEmbed ? found.rows.filter(({ id }) => canUseMailbox(caller.grant, id)) : found.rows
    setPageHeaders(reply, isEmbed ? { total: own.length } : found)
    return (isEmbed ? own.slice(page.offset, page.offset + page.limit) : own).map((row) => toUsage(row, !isEmbed))
  })

  add(contract.updateEmailConfig, async ({ params, body, caller, scope }) => {
    if (caller.kind !== 'embed') {
      const changed = await useCases.updateMailbox(scope, params.id, body)
      await useCases.changeReading(scope, params.id, body)
      return toConfig(changed)
    }
    useCases.requireEmbedMailbox(caller, params.id)
    const { status, ...owned } = body
    // A page pauses and resumes; what the mailbox may send is its owner's to say.
    if (Object.keys(owned).length > 0) throw new AppError('embed_forbidden')
    const changed = await useCases.updateMailbox(scope, params.id, status ? { status } : {})
    await useCases.noteEmbedAct(scope, caller, 'config-changed')
    return toConfig({ ...changed, secretKey: caller.aliasOf(changed.id) })
  })

  add(contract.rotateSecretKey, async ({ params, scope, resourceId }) => {
    return toConfig(await useCases.rotateSecretKey(scope, params.id, resourceId))
  })

  add(contract.deleteEmailConfig, async ({ params, caller, scope }) => {
    if (caller.kind === 'embed') useCases.requireEmbedMailbox(caller, params.id)
    await useCases.deleteMailbox(scope, params.id)
    if (caller.kind === 'embed') await useCases.noteEmbedAct(scope, caller, 'config-deleted')
  })
}

function toConfig(row: MailboxRow): contract.Config {
  return toWire(row, ['id', 'emailAddress', 'provider', 'secretKey', 'status', 'pauseReason', 'createdAt'])
}

function toUsage(row: MailboxUsageRow & { known: KnownLimits }, isOwner: boolean): contract.ConfigUsage {
  const { known, errorReply: reply, errorRecipient: recipient, errorAt } = row
  return {
    ...toWire(row, ['id', 'minuteCount', 'dayCount']),
    minute_limit: row.limitPerMinute ?? known.perMinuteCount,
    day_limit: row.limitPerDay ?? known.perDayCount,
    connection_limit: row.limitConnections ?? known.connectionCount,
    own_limits: isOwner ? toWire(row, ['limitPerMinute', 'limitPerDay', 'limitConnections']) : null,
    provider_limits: {
      limit_per_minute: known.perMinuteCount,
      limit_per_day: known.perDayCount,
      limit_connections: known.connectionCount,
    },
    last_error:
      reply !== null && recipient !== null && errorAt !== null ? { reply, recipient, at: errorAt.toISOString() } : null,
  }
}
