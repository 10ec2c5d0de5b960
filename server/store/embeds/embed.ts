import { and, arrayContains, count, desc, eq, gt, inArray, isNull, not, sql } from '../core/drizzle.ts'
import type { EmbedRow, EmbedTexts } from '../../domain/auth/embed.ts'
import { inTransaction, type Database } from '../core/database.ts'
import { embedCodes, embeds, embedSessions, embedUsage } from '../schema/embeds.ts'

type Row = typeof embeds.$inferSelect

const today = sql<string>`(now() at time zone 'utc')::date`
const recipientsToday = sql<number>`coalesce((
  select u.recipient_count from ${embedUsage} u where u.embed_id = ${embeds.id} and u.day = ${today}
), 0)`

/** Embeds of workspaces. Every call of an owner names the workspace: what belongs to another is not there. */
export function createEmbedStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  const own = (workspaceId: string, id: string) => and(eq(embeds.workspaceId, workspaceId), eq(embeds.id, id))
  const select = () => orm.select({ row: embeds, recipientsToday }).from(embeds)
  const find = async (where: ReturnType<typeof and>): Promise<EmbedRow | null> => {
    const [found] = await select().where(where)
    return found === undefined ? null : toEmbed(found)
  }

  return {
    async create(embed: EmbedTexts & { id: string; workspaceId: string }): Promise<EmbedRow> {
      const { id, workspaceId, ...texts } = embed
      await orm
        .insert(embeds)
        .values({ id, workspaceId, ...toColumns(texts), ...required(texts) })
        // A call that is done again finds what it made.
        .onConflictDoNothing()
      const made = await find(own(workspaceId, id))
      if (made === null) throw new Error('The new embed is not there.')
      return made
    },

    async count(workspaceId: string): Promise<number> {
      return orm.$count(embeds, eq(embeds.workspaceId, workspaceId))
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      page: { limit: number; offset: number },
    ): Promise<{ rows: EmbedRow[]; total: number }> {
      const where = eq(embeds.workspaceId, workspaceId)
      const [rows, totals] = await Promise.all([
        select().where(where).orderBy(desc(embeds.createdAt), desc(embeds.id)).limit(page.limit).offset(page.offset),
        orm.select({ total: count() }).from(embeds).where(where),
      ])
      return { rows: rows.map(toEmbed), total: totals[0]?.total ?? 0 }
    },

    find: (workspaceId: string, id: string): Promise<EmbedRow | null> => find(own(workspaceId, id)),

    /** By its id alone, whosever it is: for what pages may know. */
    findPublic: (id: string): Promise<EmbedRow | null> => find(and(eq(embeds.id, id))),

    /** What the changes no longer allow ends for good: sessions and codes of a paused embed, and of origins taken out. */
    async update(workspaceId: string, id: string, changes: Partial<EmbedTexts>): Promise<EmbedRow | null> {
      const columns = toColumns(changes)
      if (Object.keys(columns).length > 0)
        await inTransaction(pool, async ({ orm: tx }) => {
          const [changed] = await tx.update(embeds).set(columns).where(own(workspaceId, id)).returning()
          if (changed !== undefined) await endRefused(tx, changed)
        })
      return find(own(workspaceId, id))
    },

    /** False where the workspace has no such embed. Its sessions and what is written down of them go with it. */
    async remove(workspaceId: string, id: string): Promise<boolean> {
      const gone = await orm.delete(embeds).where(own(workspaceId, id)).returning({ id: embeds.id })
      return gone.length > 0
    },

    /** Whether any embed allows an origin; a paused one too, so that its pages can read why they are refused. */
    async isRegistered(origin: string): Promise<boolean> {
      const found = await orm
        .select({ id: embeds.id })
        .from(embeds)
        .where(arrayContains(embeds.allowedOrigins, [origin]))
        .limit(1)
      return found.length > 0
    },

    /** Lets an embed that names its configurations use one more. */
    async connectMailbox(id: string, mailboxId: string): Promise<void> {
      await orm
        .update(embeds)
        .set({ mailboxIds: sql`array_append(${embeds.mailboxIds}, ${mailboxId}::uuid)` })
        .where(and(eq(embeds.id, id), sql`not ${mailboxId}::uuid = any(${embeds.mailboxIds})`))
    },
  }
}

async function endRefused(tx: Database['orm'], { id, status, allowedOrigins }: Row): Promise<void> {
  const isPaused = status === 'paused'
  await tx
    .update(embedSessions)
    .set({ endedAt: sql`now()` })
    .where(
      and(
        eq(embedSessions.embedId, id),
        isNull(embedSessions.endedAt),
        gt(embedSessions.expiresAt, sql`now()`),
        isPaused
          ? undefined
          : and(eq(embedSessions.isPreview, false), not(inArray(embedSessions.origin, allowedOrigins))),
      ),
    )
  const isRefused = isPaused ? undefined : not(inArray(embedCodes.origin, allowedOrigins))
  await tx.delete(embedCodes).where(and(eq(embedCodes.embedId, id), isRefused))
}

function toColumns(texts: Partial<EmbedTexts>) {
  const { name, allowedOrigins, widgets, mailboxIds, limits, popupSignIn, status } = texts
  return {
    ...(name !== undefined && { name }),
    ...(allowedOrigins && { allowedOrigins: [...allowedOrigins] }),
    ...(widgets && { widgets: [...widgets] }),
    ...(mailboxIds !== undefined && { mailboxIds: mailboxIds && [...mailboxIds] }),
    ...limits,
    ...(popupSignIn !== undefined && { popupSignIn }),
    ...(status && { status }),
  }
}

/** The same for a new row, where nothing may be missing. */
function required({ name, allowedOrigins, widgets, limits, popupSignIn }: EmbedTexts) {
  return { name, allowedOrigins: [...allowedOrigins], widgets: [...widgets], ...limits, popupSignIn }
}

function toEmbed({ row, recipientsToday }: { row: Row; recipientsToday: number }): EmbedRow {
  const { messagesPerSession, recipientsPerSession, recipientsPerDay, ...rest } = row
  return { ...rest, limits: { messagesPerSession, recipientsPerSession, recipientsPerDay }, recipientsToday }
}
