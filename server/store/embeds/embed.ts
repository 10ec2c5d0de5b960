import type { EmbedRow, EmbedTexts } from '../../domain/auth/embed.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { countRows, inTransaction, type Database, type Queryable } from '../core/database.ts'
import { workspaceOfEmbedSql } from '../directory/key-directory.sql.ts'
import { selectListOf, setList } from '../core/sql.ts'
import type { embeds } from '../schema/embeds.ts'
import type { Scope } from '../../domain/auth/scope.ts'

type Row = typeof embeds.$inferSelect

const columns = selectListOf<Row>(
  'e',
  ['id', 'workspaceId', 'name', 'allowedOrigins', 'widgets', 'mailboxIds', 'messagesPerSession'],
  ['recipientsPerSession', 'recipientsPerDay', 'popupSignIn', 'status', 'createdAt'],
)

const selectSql = (column?: string): string => `
  select ${[columns, column].filter(Boolean).join(', ')}, coalesce((
    select u.recipient_count from embed_usage u where u.workspace_id = e.workspace_id and u.embed_id = e.id and u.day = (now() at time zone 'utc')::date
  ), 0) as "recipientsToday"
  from embeds e`

export type EmbedStore = ReturnType<typeof createEmbedStore>

/** Embeds of workspaces. */
export function createEmbedStore({ pool }: Pick<Database, 'pool'>) {
  const first = async (where: string, values: unknown[]): Promise<EmbedRow | null> => {
    const { rows } = await pool.query<Row & { recipientsToday: number }>(`${selectSql()} where ${where}`, values)
    return rows[0] === undefined ? null : toEmbed(rows[0])
  }
  const find = (workspaceId: string, id: string) => first('e.workspace_id = $1 and e.id = $2', [workspaceId, id])

  return {
    async create({ workspaceId }: Scope, { id, ...embed }: EmbedTexts & { id: string }): Promise<EmbedRow> {
      await pool.query(
        `insert into embeds
           (workspace_id, id, name, allowed_origins, widgets, config_ids, messages_per_session, recipients_per_session,
             recipients_per_day, popup_sign_in, status)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         on conflict do nothing`, // A repeated call finds the embed of the first one.
        [
          workspaceId,
          id,
          embed.name,
          embed.allowedOrigins,
          embed.widgets,
          embed.mailboxIds,
          embed.limits.messagesPerSession,
          embed.limits.recipientsPerSession,
          embed.limits.recipientsPerDay,
          embed.popupSignIn,
          embed.status,
        ],
      )
      const created = await find(workspaceId, id)
      if (created === null) throw new Error('The new embed was not found.')
      return created
    },

    count: ({ workspaceId }: Scope) =>
      countRows(pool, 'select count(*) from embeds where workspace_id = $1', [workspaceId]),

    /** Newest first. */
    async list(scope: Scope, { limit, offset, after }: PageQuery): Promise<Listed<EmbedRow>> {
      const [{ rows }, total] = await Promise.all([
        pool.query<Row & { recipientsToday: number; sortAt: string }>(
          `${selectSql(sortAtColumn('e.created_at'))} where e.workspace_id = $1
             and ${isAfter('desc', 2, { prefix: 'e.', idType: 'text' })}
           order by e.created_at desc, e.id desc limit $4 offset $5`,
          [scope.workspaceId, ...afterValues(after), limit + 1, offset],
        ),
        this.count(scope),
      ])
      const page = toPage<Row & { recipientsToday: number }>(rows, limit)
      return { rows: page.rows.map(toEmbed), next: page.next, total }
    },

    find: ({ workspaceId }: Scope, id: string) => find(workspaceId, id),

    /** An embed of any workspace by its id, for public calls. */
    findPublic: (id: string) => first(`e.workspace_id = ${workspaceOfEmbedSql('$1')} and e.id = $1`, [id]),

    /** Ends what the changes no longer allow: sessions and codes of a paused embed, and those of removed origins. */
    async update({ workspaceId }: Scope, id: string, changes: Partial<EmbedTexts>): Promise<EmbedRow | null> {
      const { limits, ...texts } = changes
      const { sql, values } = setList({ ...texts, ...limits }, 3)
      if (sql !== '')
        await inTransaction(pool, async ({ client }) => {
          const { rows } = await client.query<Row>(
            `update embeds e set ${sql} where workspace_id = $1 and id = $2 returning ${columns}`,
            [workspaceId, id, ...values],
          )
          if (rows[0] !== undefined) await endDisallowed(client, rows[0])
        })
      return find(workspaceId, id)
    },

    /** False where the workspace has no such embed. Its sessions and audit rows are deleted with it. */
    async remove({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query('delete from embeds where workspace_id = $1 and id = $2', [workspaceId, id])
      return rowCount === 1
    },

    /** Whether any embed allows an origin; paused ones count, so that their pages can read why they are refused. */
    async isRegistered(origin: string): Promise<boolean> {
      const { rowCount } = await pool.query('select from embeds where allowed_origins @> array[$1] limit 1', [origin])
      return rowCount === 1
    },

    /** Allows one more mailbox in an embed that is limited to some. */
    async connectMailbox({ workspaceId }: Scope, id: string, mailboxId: string): Promise<void> {
      await pool.query(
        `update embeds set config_ids = array_append(config_ids, $2::uuid)
         where workspace_id = $3 and id = $1 and not $2::uuid = any(config_ids)`,
        [id, mailboxId, workspaceId],
      )
    },
  }
}

async function endDisallowed(client: Queryable, { workspaceId, id, status, allowedOrigins }: Row): Promise<void> {
  const values = [id, status === 'paused', allowedOrigins, workspaceId]
  await client.query(
    `update embed_sessions set ended_at = now()
     where workspace_id = $4 and embed_id = $1 and ended_at is null and expires_at > now()
       and ($2 or (not is_preview and origin <> all($3)))`,
    values,
  )
  await client.query(
    'delete from embed_codes where workspace_id = $4 and embed_id = $1 and ($2 or origin <> all($3))',
    values,
  )
}

function toEmbed({
  messagesPerSession,
  recipientsPerSession,
  recipientsPerDay,
  ...rest
}: Row & { recipientsToday: number }): EmbedRow {
  return { ...rest, limits: { messagesPerSession, recipientsPerSession, recipientsPerDay } }
}
