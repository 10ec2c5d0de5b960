import type { IdPageQuery } from '../../domain/core/page.ts'
import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { embedsMaxCount } from '../../../contract/embed/embed.limits.ts'
import { originProblems, readOrigin } from '../../../contract/core/origin.ts'
import type { EmbedRow, EmbedTexts } from '../../domain/auth/embed.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import { formatToken, hashToken, isToken } from '../../domain/auth/token.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { EmbedStore } from '../../store/embeds/embed.ts'
import type { EmbedSessionStore } from '../../store/embeds/embed-session.ts'
import type { EmbedUsage } from '../../store/embeds/embed-usage.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Page {
  limit: number
  offset: number
}

interface Ports {
  embeds: Pick<EmbedStore, 'create' | 'count' | 'list' | 'find' | 'update' | 'remove'>
  embedSessions: Pick<EmbedSessionStore, 'list' | 'end'>
  embedUsage: Pick<EmbedUsage, 'list'>
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  newEmbedId: () => string
  noteSecurityEvent: NoteSecurityEvent
}

/** Manages the embeds of a workspace. Each function throws `embed_not_found`, also for embeds of other workspaces. */
export function createEmbedService(ports: Ports) {
  const { embeds, embedSessions, embedUsage, mailboxes, newEmbedId, noteSecurityEvent } = ports
  const known = async (scope: Scope, id: string): Promise<EmbedRow> => {
    const embed = isToken('embed', id) ? await embeds.find(scope, id) : null
    if (embed === null) throw new AppError('embed_not_found')
    return embed
  }

  /** Normalizes origins as browsers send them, without duplicates. Throws `validation` for invalid origins and unknown mailboxes. */
  const readTexts = async (scope: Scope, texts: Partial<EmbedTexts>): Promise<Partial<EmbedTexts>> => {
    const { name, allowedOrigins, mailboxIds } = texts
    const items: ValidationItem[] = []
    if (name?.trim() === '') {
      items.push({ loc: ['body', 'name'], msg: 'name is empty; enter a name for the embed', type: 'missing' })
    }
    const origins = allowedOrigins?.map((text, index) => {
      const read = readOrigin(text)
      if (read.ok) return read.origin
      const msg = `Origin ${index + 1} ${originProblems[read.problem]}.`
      items.push({ loc: ['body', 'allowed_origins', index], msg, type: `origin_${read.problem}` })
      return ''
    })
    if (mailboxIds) {
      const found = await mailboxes.findMailboxes(scope, mailboxIds.filter(isRowId))
      for (const [index, id] of mailboxIds.entries()) {
        if (found.some(({ mailboxId }) => mailboxId === id.toLowerCase())) continue
        const msg = `Mailbox ${index + 1} is not connected; choose one of GET /email/configs.`
        items.push({ loc: ['body', 'config_ids', index], msg, type: 'config_unknown' })
      }
    }
    if (items.length > 0) throw new AppError('validation', { items })
    return {
      ...texts,
      ...(name !== undefined && { name: name.trim() }),
      ...(origins && { allowedOrigins: [...new Set(origins)] }),
      ...(mailboxIds && { mailboxIds: [...new Set(mailboxIds.map((id) => id.toLowerCase()))] }),
    }
  }

  return {
    /** Newest first. */
    listEmbeds: (scope: Scope, page: Page) => embeds.list(scope, page),
    getEmbed: known,

    /** Creates one embed for each `resourceId`. Throws `validation`, `embed_limit_reached`. */
    async createEmbed(scope: Scope, texts: EmbedTexts, resourceId: string | null): Promise<EmbedRow> {
      const read = await readTexts(scope, texts)
      if ((await embeds.count(scope)) >= embedsMaxCount) throw new AppError('embed_limit_reached')
      const id = resourceId === null ? newEmbedId() : formatToken('embed', hashToken(resourceId))
      return embeds.create(scope, { ...texts, ...read, id })
    },

    /** Throws `validation` too. */
    async updateEmbed(scope: Scope, id: string, changes: Partial<EmbedTexts>): Promise<EmbedRow> {
      await known(scope, id)
      const changed = await embeds.update(scope, id, await readTexts(scope, changes))
      if (changed === null) throw new AppError('embed_not_found')
      return changed
    },

    async deleteEmbed(scope: Scope, id: string): Promise<void> {
      if (!isToken('embed', id) || !(await embeds.remove(scope, id))) throw new AppError('embed_not_found')
    },

    async listEmbedSessions(scope: Scope, id: string, status: 'active' | 'ended' | null, page: Page) {
      return embedSessions.list(scope, (await known(scope, id)).id, status, page)
    },

    /** One, or all where `sessionId` is null. Throws `embed_session_not_found`. */
    async revokeEmbedSessions(scope: Scope, id: string, sessionId: string | null): Promise<void> {
      const embed = await known(scope, id)
      const isKnown = sessionId === null || isRowId(sessionId)
      const endedCount = isKnown ? await embedSessions.end(scope, embed.id, sessionId) : 0
      if (sessionId !== null && endedCount === 0) throw new AppError('embed_session_not_found')
      noteSecurityEvent('session_revoked', {
        workspaceId: scope.workspaceId,
        embedId: embed.id,
        ...(sessionId !== null && { sessionId }),
      })
    },

    async listEmbedAudit(scope: Scope, id: string, page: IdPageQuery) {
      return embedUsage.list(scope, (await known(scope, id)).id, page)
    },
  }
}
