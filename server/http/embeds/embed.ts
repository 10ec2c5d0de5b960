import type { createEmbedService } from '../../usecases/embeds/embed-service.ts'
import * as contract from '../../../contract/embed/embed.ts'
import { embedLimitDefaults } from '../../../contract/embed/embed.limits.ts'
import type { EmbedAuditRow, EmbedRow, EmbedSessionRow, EmbedTexts } from '../../domain/auth/embed.ts'
import { answerPage, readIdPage, readPage } from '../core/paging.ts'
import type { AddRoute } from '../core/route.ts'
import { toWire } from '../core/wire.ts'

const isEmbedId = (id: string): boolean => /^pk_\w+$/.test(id)

/** The use cases of the embeds of a workspace. */
export type EmbedUseCases = ReturnType<typeof createEmbedService>

/** `/embeds`: widgets in third-party pages, their sessions and audit log. */
export function addEmbedRoutes(add: AddRoute, useCases: EmbedUseCases): void {
  add(contract.listEmbeds, async ({ query, scope, reply }) =>
    answerPage(reply, await useCases.listEmbeds(scope, readPage(query, isEmbedId)), toEmbed),
  )

  add(contract.createEmbed, async ({ body, scope, resourceId }) => {
    const texts = {
      name: body.name,
      allowedOrigins: body.allowed_origins,
      widgets: body.widgets,
      mailboxIds: body.config_ids ?? null,
      limits: toLimits({ ...embedLimitDefaults, ...body.limits }),
      popupSignIn: body.popup_sign_in ?? true,
      status: 'active' as const,
    }
    return toEmbed(await useCases.createEmbed(scope, texts, resourceId))
  })

  add(contract.getEmbed, async ({ params, scope }) => toEmbed(await useCases.getEmbed(scope, params.id)))

  add(contract.updateEmbed, async ({ params, body, scope }) => {
    const { limits } = await useCases.getEmbed(scope, params.id)
    const changes: Partial<EmbedTexts> = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.allowed_origins && { allowedOrigins: body.allowed_origins }),
      ...(body.widgets && { widgets: body.widgets }),
      ...(body.config_ids !== undefined && { mailboxIds: body.config_ids }),
      ...(body.limits && { limits: toLimits({ ...fromLimits(limits), ...body.limits }) }),
      ...(body.popup_sign_in !== undefined && { popupSignIn: body.popup_sign_in }),
      ...(body.status && { status: body.status }),
    }
    return toEmbed(await useCases.updateEmbed(scope, params.id, changes))
  })

  add(contract.deleteEmbed, ({ params, scope }) => useCases.deleteEmbed(scope, params.id))

  add(contract.listEmbedSessions, async ({ params, query, scope, reply }) => {
    const list = useCases.listEmbedSessions(scope, params.id, query.status ?? null, readPage(query))
    return answerPage(reply, await list, toSession)
  })

  add(contract.revokeEmbedSession, ({ params, scope }) =>
    useCases.revokeEmbedSessions(scope, params.id, params.session_id),
  )

  add(contract.revokeEmbedSessions, ({ params, scope }) => useCases.revokeEmbedSessions(scope, params.id, null))

  add(contract.listEmbedAudit, async ({ params, query, scope, reply }) =>
    answerPage(reply, await useCases.listEmbedAudit(scope, params.id, readIdPage(query)), toAuditEntry),
  )
}

type WireLimits = contract.Embed['limits']

const toLimits = (limits: WireLimits): EmbedTexts['limits'] => ({
  messagesPerSession: limits.messages_per_session,
  recipientsPerSession: limits.recipients_per_session,
  recipientsPerDay: limits.recipients_per_day,
})

const fromLimits = (limits: EmbedTexts['limits']): WireLimits =>
  toWire(limits, ['messagesPerSession', 'recipientsPerSession', 'recipientsPerDay'])

function toEmbed(row: EmbedRow): contract.Embed {
  return {
    ...toWire(row, [
      'id',
      'name',
      'allowedOrigins',
      'widgets',
      'popupSignIn',
      'status',
      'recipientsToday',
      'createdAt',
    ]),
    config_ids: row.mailboxIds && [...row.mailboxIds],
    limits: fromLimits(row.limits),
  }
}

function toSession(row: EmbedSessionRow): contract.EmbedSession {
  return {
    ...toWire(row, ['id', 'origin', 'scopes', 'userRef', 'openedBy', 'createdAt', 'expiresAt', 'endedAt']),
    status: row.isLive ? 'active' : 'ended',
    messages: row.messageCount,
    recipients: row.recipientCount,
  }
}

function toAuditEntry(row: EmbedAuditRow): contract.EmbedAuditEntry {
  return {
    ...toWire(row, ['at', 'act', 'sessionId', 'origin', 'userRef', 'messageId', 'subject']),
    id: String(row.id),
    recipients: row.recipientCount,
  }
}
