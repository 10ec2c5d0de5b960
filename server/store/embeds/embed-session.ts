import { and, count, desc, eq, exists, gt, isNull, lt, or, sql } from '../core/drizzle.ts'
import { embedAuditKeptDays } from '../../../contract/core/limits.ts'
import { scopesOfWidgets, type EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import { narrowConfigs, type EmbedGrant, type EmbedSessionRow, type NewEmbedSession } from '../../domain/auth/embed.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { embedCodes, embeds, embedSessions } from '../schema/embeds.ts'
import { members, users } from '../schema/accounts.ts'

/** What a consent is kept as until its code is traded. */
export interface NewEmbedCode {
  codeHash: Buffer
  embedId: string
  userId: string
  origin: string
  scopes: readonly EmbedScope[]
  challenge: string
  expiresAt: Date
}

/** Sessions of embeds, and the codes that consents give. */
export function createEmbedSessionStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  const isLive = sql`(${embedSessions.endedAt} is null and ${embedSessions.expiresAt} > now())`
  const openOf = (embedId: string) => and(eq(embedSessions.embedId, embedId), isLive)

  return {
    /** False where its embed has been paused or deleted meanwhile: a pause ends every session that is there. */
    async create({ opener, scopes, mailboxIds, ...session }: NewEmbedSession): Promise<boolean> {
      return inTransaction(pool, async ({ orm: tx }) => {
        const isActive = and(eq(embeds.id, session.embedId), eq(embeds.status, 'active'))
        const found = await tx.select({ id: embeds.id }).from(embeds).where(isActive).for('share')
        if (found.length === 0) return false
        await tx.insert(embedSessions).values({
          ...session,
          scopes: [...scopes],
          mailboxIds: mailboxIds && [...mailboxIds],
          openedBy: opener.openedBy,
          userId: opener.openedBy === 'key' ? null : opener.userId,
          keyMailboxId: opener.openedBy === 'key' ? opener.mailboxId : null,
        })
        return true
      })
    },

    /**
     * What a session may do now; null where it has ended, its embed is paused or no longer allows its origin, who let it in
     * has left the workspace or closed the account, or everybody has.
     */
    async findGrant(tokenHash: Buffer): Promise<EmbedGrant | null> {
      const isMember = orm
        .select({ one: sql`1` })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(
          and(
            eq(members.workspaceId, embeds.workspaceId),
            isNull(users.closedAt),
            or(isNull(embedSessions.userId), eq(members.userId, embedSessions.userId)),
          ),
        )
      const [found] = await orm
        .select({ session: embedSessions, embed: embeds })
        .from(embedSessions)
        .innerJoin(embeds, eq(embeds.id, embedSessions.embedId))
        .where(
          and(
            eq(embedSessions.tokenHash, tokenHash),
            isLive,
            eq(embeds.status, 'active'),
            or(embedSessions.isPreview, sql`${embedSessions.origin} = any(${embeds.allowedOrigins})`),
            exists(isMember),
          ),
        )
      if (found === undefined) return null
      const { session, embed } = found
      const given = scopesOfWidgets(embed.widgets)
      return {
        sessionId: session.id,
        embedId: embed.id,
        workspaceId: embed.workspaceId,
        origin: session.origin,
        isPreview: session.isPreview,
        scopes: session.scopes.filter((scope) => given.includes(scope)),
        mailboxIds: narrowConfigs(embed.mailboxIds, session.mailboxIds),
        userRef: session.userRef,
        userId: session.userId,
        recipientsPerDay: embed.recipientsPerDay,
      }
    },

    /** Newest first, without those of the dashboard's own preview; `status` null for all. */
    async list(
      embedId: string,
      status: 'active' | 'ended' | null,
      page: { limit: number; offset: number },
    ): Promise<{ rows: EmbedSessionRow[]; total: number }> {
      const ofStatus = status === null ? undefined : status === 'active' ? isLive : sql`not (${isLive})`
      const where = and(eq(embedSessions.embedId, embedId), eq(embedSessions.isPreview, false), ofStatus)
      const [rows, totals] = await Promise.all([
        orm
          .select({ session: embedSessions, isLive: isLive.mapWith(Boolean) })
          .from(embedSessions)
          .where(where)
          .orderBy(desc(embedSessions.createdAt), desc(embedSessions.id))
          .limit(page.limit)
          .offset(page.offset),
        orm.select({ total: count() }).from(embedSessions).where(where),
      ])
      return { rows: rows.map(({ session, isLive }) => ({ ...session, isLive })), total: totals[0]?.total ?? 0 }
    },

    /** Ends one open session, or all where `id` is null; gives how many. */
    async end(embedId: string, id: string | null): Promise<number> {
      const ended = await orm
        .update(embedSessions)
        .set({ endedAt: sql`now()` })
        .where(and(openOf(embedId), id === null ? undefined : eq(embedSessions.id, id)))
        .returning({ id: embedSessions.id })
      return ended.length
    },

    /** Lets a session that names its configurations use one more. */
    async connectMailbox(id: string, mailboxId: string): Promise<void> {
      await orm
        .update(embedSessions)
        .set({ mailboxIds: sql`array_append(${embedSessions.mailboxIds}, ${mailboxId}::uuid)` })
        .where(and(eq(embedSessions.id, id), sql`not ${mailboxId}::uuid = any(${embedSessions.mailboxIds})`))
    },

    async addCode({ scopes, ...code }: NewEmbedCode): Promise<void> {
      await orm.insert(embedCodes).values({ ...code, scopes: [...scopes] })
    },

    /** Uses a code up, whoever brings it, and gives what it stands for; null where it does not work. */
    async useCode(codeHash: Buffer): Promise<Omit<NewEmbedCode, 'codeHash' | 'expiresAt'> | null> {
      const [used] = await orm
        .update(embedCodes)
        .set({ usedAt: sql`now()` })
        .where(and(eq(embedCodes.codeHash, codeHash), isNull(embedCodes.usedAt), gt(embedCodes.expiresAt, sql`now()`)))
        .returning()
      return used ?? null
    },

    /** Forgets sessions, with what is written down of them, and codes whose time is over. */
    async prune(): Promise<void> {
      await orm
        .delete(embedSessions)
        .where(lt(embedSessions.expiresAt, sql`now() - make_interval(days => ${embedAuditKeptDays})`))
      await orm.delete(embedCodes).where(lt(embedCodes.expiresAt, sql`now()`))
    },
  }
}
