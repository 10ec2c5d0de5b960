import { AppError, type ValidationItem } from '../../../contract/core/errors.ts'
import { embedsMaxCount } from '../../../contract/core/limits.ts'
import { originProblems, readOrigin } from '../../../contract/core/origin.ts'
import type { EmbedAuditRow, EmbedRow, EmbedSessionRow, EmbedTexts } from '../../domain/auth/embed.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { NoteSecurityEvent } from '../../domain/core/security-event.ts'
import { formatToken, hashToken, isToken } from '../../domain/auth/token.ts'

interface Page {
  limit: number
  offset: number
}
type Listed<Row> = Promise<{ rows: Row[]; total: number }>

interface Ports {
  embeds: {
    create: (embed: EmbedTexts & { id: string; workspaceId: string }) => Promise<EmbedRow>
    count: (workspaceId: string) => Promise<number>
    list: (workspaceId: string, page: Page) => Listed<EmbedRow>
    find: (workspaceId: string, id: string) => Promise<EmbedRow | null>
    update: (workspaceId: string, id: string, changes: Partial<EmbedTexts>) => Promise<EmbedRow | null>
    remove: (workspaceId: string, id: string) => Promise<boolean>
  }
  embedSessions: {
    list: (embedId: string, status: 'active' | 'ended' | null, page: Page) => Listed<EmbedSessionRow>
    end: (embedId: string, id: string | null) => Promise<number>
  }
  embedUsage: { list: (embedId: string, page: Page) => Listed<EmbedAuditRow> }
  mailboxes: { findMailboxes: (workspaceId: string, ids: readonly string[]) => Promise<{ mailboxId: string }[]> }
  newEmbedId: () => string
  noteSecurityEvent: NoteSecurityEvent
}

/** What a workspace does with its embeds. Those of another read as unknown: each throws `embed_not_found`. */
export function createEmbedService(ports: Ports) {
  const { embeds, embedSessions, embedUsage, mailboxes, newEmbedId, noteSecurityEvent } = ports
  const known = async (workspaceId: string, id: string): Promise<EmbedRow> => {
    const embed = isToken('embed', id) ? await embeds.find(workspaceId, id) : null
    if (embed === null) throw new AppError('embed_not_found')
    return embed
  }

  /** Origins as browsers send them, each once; throws `validation` for what is none, and for configurations of nobody. */
  const readTexts = async (workspaceId: string, texts: Partial<EmbedTexts>): Promise<Partial<EmbedTexts>> => {
    const { name, allowedOrigins, mailboxIds } = texts
    const items: ValidationItem[] = []
    if (name?.trim() === '') {
      items.push({ loc: ['body', 'name'], msg: 'name is blank; give the embed a name', type: 'missing' })
    }
    const origins = allowedOrigins?.map((text, index) => {
      const read = readOrigin(text)
      if (read.ok) return read.origin
      const msg = `Origin ${index + 1} ${originProblems[read.problem]}.`
      items.push({ loc: ['body', 'allowed_origins', index], msg, type: `origin_${read.problem}` })
      return ''
    })
    if (mailboxIds) {
      const found = await mailboxes.findMailboxes(workspaceId, mailboxIds.filter(isRowId))
      for (const [index, id] of mailboxIds.entries()) {
        if (found.some(({ mailboxId }) => mailboxId === id.toLowerCase())) continue
        const msg = `Configuration ${index + 1} is not connected; choose one of GET /email/configs.`
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
    listEmbeds: (workspaceId: string, page: Page) => embeds.list(workspaceId, page),
    getEmbed: known,

    /** `resourceId`: names what is made, where the call may be repeated. Throws `validation`, `embeds_full`. */
    async createEmbed(workspaceId: string, texts: EmbedTexts, resourceId: string | null): Promise<EmbedRow> {
      const read = await readTexts(workspaceId, texts)
      if ((await embeds.count(workspaceId)) >= embedsMaxCount) throw new AppError('embeds_full')
      const id = resourceId === null ? newEmbedId() : formatToken('embed', hashToken(resourceId))
      return embeds.create({ ...texts, ...read, id, workspaceId })
    },

    /** Throws `validation` too. */
    async updateEmbed(workspaceId: string, id: string, changes: Partial<EmbedTexts>): Promise<EmbedRow> {
      await known(workspaceId, id)
      const changed = await embeds.update(workspaceId, id, await readTexts(workspaceId, changes))
      if (changed === null) throw new AppError('embed_not_found')
      return changed
    },

    async deleteEmbed(workspaceId: string, id: string): Promise<void> {
      if (!isToken('embed', id) || !(await embeds.remove(workspaceId, id))) throw new AppError('embed_not_found')
    },

    async listEmbedSessions(workspaceId: string, id: string, status: 'active' | 'ended' | null, page: Page) {
      return embedSessions.list((await known(workspaceId, id)).id, status, page)
    },

    /** One, or all where `sessionId` is null. Throws `embed_session_not_found`. */
    async revokeEmbedSessions(workspaceId: string, id: string, sessionId: string | null): Promise<void> {
      const embed = await known(workspaceId, id)
      const isKnown = sessionId === null || isRowId(sessionId)
      const endedCount = isKnown ? await embedSessions.end(embed.id, sessionId) : 0
      if (sessionId !== null && endedCount === 0) throw new AppError('embed_session_not_found')
      noteSecurityEvent('session_revoked', { workspaceId, embedId: embed.id, ...(sessionId !== null && { sessionId }) })
    },

    async listEmbedAudit(workspaceId: string, id: string, page: Page) {
      return embedUsage.list((await known(workspaceId, id)).id, page)
    },
  }
}
