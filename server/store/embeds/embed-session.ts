import { embedAuditKeptDays } from '../../../contract/embed/embed.limits.ts'
import { scopesOfWidgets, type EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import { narrowConfigs, type EmbedGrant, type EmbedSessionRow, type NewEmbedSession } from '../../domain/auth/embed.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { countRows, findRow, inTransaction, type Database } from '../core/database.ts'
import { selectList, selectListOf } from '../core/sql.ts'
import type { embeds, embedSessions } from '../schema/embeds.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'

/** A consent, stored until its code is exchanged. */
export interface NewEmbedCode {
  codeHash: Buffer
  embedId: string
  userId: string
  origin: string
  scopes: readonly EmbedScope[]
  challenge: string
  expiresAt: Date
}

type Session = typeof embedSessions.$inferSelect
type FoundGrant = Omit<EmbedGrant, 'mailboxIds' | 'scopes'> &
  Pick<Session, 'scopes' | 'mailboxIds'> &
  Pick<typeof embeds.$inferSelect, 'widgets'> & { embedConfigIds: string[] | null }

const isLive = '(s.ended_at is null and s.expires_at > now())'
/** $1: embed; $2: 'active', 'ended' or null for both; $3: workspace. The dashboard's own preview sessions are left out. */
const isListed = `s.workspace_id = $3 and s.embed_id = $1 and not s.is_preview and ($2::text is null or ${isLive} = ($2 = 'active'))`

export type EmbedSessionStore = ReturnType<typeof createEmbedSessionStore>

/** Sessions of embeds, and the codes issued by consents. */
export function createEmbedSessionStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** False where its embed was paused or deleted in the meantime: a pause ends every existing session. */
    async create({ workspaceId }: Scope, { opener, ...session }: NewEmbedSession): Promise<boolean> {
      return inTransaction(pool, async ({ client }) => {
        const active = await client.query(
          `select from embeds where workspace_id = $1 and id = $2 and status = 'active' for share`,
          [workspaceId, session.embedId],
        )
        if (active.rowCount === 0) return false
        await client.query(
          `insert into embed_sessions
             (id, embed_id, token_hash, origin, is_preview, scopes, config_ids, user_ref, messages_limit,
               recipients_limit, expires_at, opened_by, user_id, key_config_id, workspace_id)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
          [
            session.id,
            session.embedId,
            session.tokenHash,
            session.origin,
            session.isPreview,
            session.scopes,
            session.mailboxIds,
            session.userRef,
            session.messagesLimit,
            session.recipientsLimit,
            session.expiresAt,
            opener.openedBy,
            opener.openedBy === 'key' ? null : opener.userId,
            opener.openedBy === 'key' ? opener.mailboxId : null,
            workspaceId,
          ],
        )
        return true
      })
    },

    /**
     * The permissions of a session now; null where it has ended, its embed is paused or no longer allows its origin, its opener
     * has left the workspace or closed the account, or the workspace has no members.
     */
    async findGrant(tokenHash: Buffer): Promise<EmbedGrant | null> {
      const { rows } = await pool.query<FoundGrant>({
        name: 'find-embed-grant',
        text: `select s.id as "sessionId", s.user_id as "userId", s.config_ids as "mailboxIds",
            ${selectListOf<Session>('s', ['embedId', 'origin', 'isPreview', 'scopes', 'userRef'])},
            e.workspace_id as "workspaceId", e.widgets, e.config_ids as "embedConfigIds",
            e.recipients_per_day as "recipientsPerDay"
          from embed_sessions s join embeds e on e.workspace_id = s.workspace_id and e.id = s.embed_id
          where s.token_hash = $1 and ${isLive} and e.status = 'active'
            and (s.is_preview or s.origin = any(e.allowed_origins))
            and exists (
              select from members m join users u on u.id = m.user_id
              where m.workspace_id = e.workspace_id and u.closed_at is null
                and (s.user_id is null or m.user_id = s.user_id)
            )`,
        values: [tokenHash],
      })
      const [found] = rows
      if (found === undefined) return null
      const { widgets, embedConfigIds, scopes, mailboxIds, ...grant } = found
      const allowed = scopesOfWidgets(widgets)
      return {
        ...grant,
        scopes: scopes.filter((scope) => allowed.includes(scope)),
        mailboxIds: narrowConfigs(embedConfigIds, mailboxIds),
      }
    },

    /** Newest first, without the dashboard's preview sessions; `status` null for all. */
    async list(
      { workspaceId }: Scope,
      embedId: string,
      status: 'active' | 'ended' | null,
      { limit, offset, after }: PageQuery,
    ): Promise<Listed<EmbedSessionRow>> {
      const [{ rows }, total] = await Promise.all([
        pool.query<EmbedSessionRow & { sortAt: string }>(
          `select ${sessionColumns}, ${isLive} as "isLive", ${sortAtColumn('s.created_at')} from embed_sessions s
           where ${isListed} and ${isAfter('desc', 4, { prefix: 's.' })}
           order by s.created_at desc, s.id desc limit $6 offset $7`,
          [embedId, status, workspaceId, ...afterValues(after), limit + 1, offset],
        ),
        countRows(pool, `select count(*) from embed_sessions s where ${isListed}`, [embedId, status, workspaceId]),
      ])
      return { ...toPage<EmbedSessionRow>(rows, limit), total }
    },

    /** Ends one live session, or all where `id` is null; returns how many. */
    async end({ workspaceId }: Scope, embedId: string, id: string | null): Promise<number> {
      const { rowCount } = await pool.query(
        `update embed_sessions s set ended_at = now()
         where workspace_id = $3 and embed_id = $1 and ($2::uuid is null or id = $2) and ${isLive}`,
        [embedId, id, workspaceId],
      )
      return rowCount ?? 0
    },

    /** Allows one more mailbox in a session that is limited to some. */
    async connectMailbox({ workspaceId }: Scope, id: string, mailboxId: string): Promise<void> {
      await pool.query(
        `update embed_sessions set config_ids = array_append(config_ids, $2::uuid)
         where workspace_id = $3 and id = $1 and not $2::uuid = any(config_ids)`,
        [id, mailboxId, workspaceId],
      )
    },

    async addCode(
      { workspaceId }: Scope,
      { codeHash, embedId, userId, origin, scopes, challenge, expiresAt }: NewEmbedCode,
    ): Promise<void> {
      await pool.query(
        `insert into embed_codes (workspace_id, code_hash, embed_id, user_id, origin, scopes, challenge, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [workspaceId, codeHash, embedId, userId, origin, scopes, challenge, expiresAt],
      )
    },

    /** Redeems a code and returns its consent; null where it is unknown, used or expired. */
    useCode: (codeHash: Buffer) =>
      findRow<Omit<NewEmbedCode, 'codeHash' | 'expiresAt'>>(
        pool,
        `update embed_codes set used_at = now() where code_hash = $1 and used_at is null and expires_at > now()
         returning ${selectList<NewEmbedCode>(['embedId', 'userId', 'origin', 'scopes', 'challenge'])}`,
        [codeHash],
      ),

    /** Deletes expired codes, and sessions with their audit rows after the retention period. */
    async prune(_system: SystemScope): Promise<void> {
      await pool.query('delete from embed_sessions where expires_at < now() - make_interval(days => $1)', [
        embedAuditKeptDays,
      ])
      await pool.query('delete from embed_codes where expires_at < now()')
    },
  }
}

const sessionColumns = selectListOf<Session>(
  's',
  ['id', 'origin', 'scopes', 'userRef', 'openedBy', 'messageCount', 'recipientCount', 'createdAt', 'expiresAt'],
  ['endedAt'],
)
