import type { replyViews } from '../../../contract/inbox/inbox.limits.ts'
import type { InboxKind, InboxMatch } from '../../../contract/inbox/inbox.ts'
import type { Provider } from '../../../contract/mail/config.limits.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { NewEvent } from '../../domain/events/new-event.ts'
import type { InboxDetail } from '../../domain/inbox/inbox-mail.ts'
import { findRow, inTransaction, type Database } from '../core/database.ts'
import { toIdPage } from '../core/page.ts'
import { announceFigures } from '../events/figures-channel.ts'
import { writeEvents } from '../events/inbox.ts'

/** A stored answer with the mail that it answers. */
export interface InboxMailRow {
  id: number
  mailboxId: string
  mailboxAddress: string
  provider: Provider | 'system'
  kind: InboxKind
  match: InboxMatch
  deliveryMonth: string
  deliveryId: number
  messageId: string
  campaignId: string | null
  campaignName: string | null
  contactId: number | null
  /** The address that our mail went to; null where it was erased. */
  recipient: string | null
  fromAddress: string
  subject: string
  excerpt: string
  detail: InboxDetail
  receivedAt: Date
  readAt: Date | null
  archivedAt: Date | null
  answerMessageId: string | null
}

/** A stored answer, and what the person did with the mail that it answers. */
export interface WholeInboxMailRow extends InboxMailRow {
  openedAt: Date | null
  clickCount: number
}

export type ReplyView = (typeof replyViews)[number]

export interface InboxFilter {
  view?: ReplyView | undefined
  kind?: InboxKind | undefined
  match?: InboxMatch | undefined
  campaignId?: string | undefined
  contactId?: string | undefined
  mailboxId?: string | undefined
}

export interface ReplyCounts {
  unread: number
  replies: number
  autoReplies: number
  probable: number
  unverified: number
  isAnyReading: boolean
}

const columns = (
  excerpt: string,
) => `i.id, i.config_id as "mailboxId", c.email_address as "mailboxAddress", c.provider, i.kind, i.match,
  i.delivery_month::text as "deliveryMonth", i.delivery_id as "deliveryId", d.message_id as "messageId",
  d.campaign_id as "campaignId", k.name as "campaignName", i.contact_id as "contactId", d.recipient,
  i.from_address as "fromAddress", i.subject, ${excerpt} as excerpt, i.detail, i.received_at as "receivedAt",
  i.read_at as "readAt", i.archived_at as "archivedAt", i.answer_message_id as "answerMessageId"`
const from = `from inbox_mails i
  join email_configs c on c.workspace_id = i.workspace_id and c.id = i.config_id
  join deliveries d on d.workspace_id = i.workspace_id and d.month = i.delivery_month and d.id = i.delivery_id
  left join campaigns k on k.workspace_id = i.workspace_id and k.id = d.campaign_id`
const isListed = `coalesce(i.detail->>'settled', '') <> 'refused'`
const isReply = `i.kind in ('reply', 'unsubscribe')`
const views: Readonly<Record<ReplyView | 'all', string>> = {
  all: `i.kind in ('reply', 'auto_reply', 'unsubscribe') and i.archived_at is null`,
  new: `${isReply} and i.read_at is null and i.archived_at is null`,
  reply: `${isReply} and i.archived_at is null`,
  auto_reply: `i.kind = 'auto_reply' and i.archived_at is null`,
  probable: `i.kind in ('reply', 'auto_reply') and i.match = 'probable' and i.detail->>'settled' is null and i.archived_at is null`,
  unverified: `i.match = 'unverified' and i.archived_at is null`,
  archived: `i.kind in ('reply', 'auto_reply', 'unsubscribe') and i.archived_at is not null`,
}

export type InboxMailStore = ReturnType<typeof createInboxMailStore>

/** Stored answers: replies, auto-replies, bounces, complaints. */
export function createInboxMailStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Newest first. */
    async list(
      { workspaceId }: Scope,
      { view, kind, match, campaignId, contactId, mailboxId }: InboxFilter,
      { limit, afterId = null }: { limit: number; afterId?: number | null },
    ): Promise<{ rows: InboxMailRow[]; total: number; next: number | null }> {
      // A filter by kind shows what the views leave out.
      const isShown = view === undefined && (kind ?? contactId) !== undefined ? 'true' : views[view ?? 'all']
      const where = `i.workspace_id = $1 and ${isListed} and ${isShown} and ($2::text is null or i.kind = $2)
        and ($3::text is null or i.match = $3) and ($4::uuid is null or d.campaign_id = $4)
        and ($5::bigint is null or i.contact_id = $5) and ($6::uuid is null or i.config_id = $6)`
      const values = [
        workspaceId,
        kind ?? null,
        match ?? null,
        campaignId ?? null,
        contactId ?? null,
        mailboxId ?? null,
      ]
      const [{ rows }, counted] = await Promise.all([
        pool.query<InboxMailRow>(
          `select ${columns('left(i.excerpt, 300)')} ${from} where ${where} and ($7::bigint is null or i.id < $7)
           order by i.id desc limit $8`,
          [...values, afterId, limit + 1],
        ),
        pool.query<{ count: number }>(`select count(*) as count ${from} where ${where}`, values),
      ])
      return { ...toIdPage(rows, limit), total: counted.rows[0]?.count ?? 0 }
    },

    find: ({ workspaceId }: Scope, id: string) =>
      findRow<WholeInboxMailRow>(
        pool,
        `select ${columns('i.excerpt')}, e.first_open_at as "openedAt", coalesce(e.clicks, 0) as "clickCount" ${from}
         left join engagements e on e.workspace_id = $1 and e.source_id = coalesce(d.campaign_id, d.config_id)
           and e.delivery_id = i.delivery_id
         where i.workspace_id = $1 and i.id = $2 and ${isListed}`,
        [workspaceId, id],
      ),

    async counts({ workspaceId }: Scope): Promise<ReplyCounts> {
      const { rows } = await pool.query<ReplyCounts>(
        `select count(*) filter (where ${views.new})::int as unread, count(*) filter (where ${views.reply})::int as replies,
           count(*) filter (where ${views.auto_reply})::int as "autoReplies",
           count(*) filter (where ${views.probable})::int as probable,
           count(*) filter (where ${views.unverified})::int as unverified,
           exists (
             select from email_configs where workspace_id = $1 and is_reading and deleted_at is null
           ) as "isAnyReading"
         from inbox_mails i where i.workspace_id = $1 and ${isListed}`,
        [workspaceId],
      )
      const [row] = rows
      if (row === undefined) throw new Error('An aggregate returned no row.')
      return row
    },

    /** Null leaves a state as it is. */
    async mark(
      scope: Scope,
      id: string,
      { isRead, isArchived }: { isRead: boolean | null; isArchived: boolean | null },
    ): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update inbox_mails set
           read_at = case when $3::boolean is null then read_at when $3 then coalesce(read_at, now()) end,
           archived_at = case when $4::boolean is null then archived_at when $4 then coalesce(archived_at, now()) end
         where workspace_id = $1 and id = $2`,
        [scope.workspaceId, id, isRead, isArchived],
      )
      await announceFigures(scope, pool)
      return rowCount === 1
    },

    /** Settles a probable reply, with the event that follows. False where it is settled, or was never probable. */
    settle: (scope: Scope, id: string, settled: 'confirmed' | 'refused', event: NewEvent | null): Promise<boolean> =>
      inTransaction(pool, async ({ client }) => {
        const { rowCount } = await client.query(
          `update inbox_mails set detail = detail || jsonb_build_object('settled', $3::text)
           where workspace_id = $1 and id = $2 and match = 'probable' and detail->>'settled' is null`,
          [scope.workspaceId, id, settled],
        )
        if (rowCount === 1 && event !== null) await writeEvents(scope, [event], client)
        await announceFigures(scope, client)
        return rowCount === 1
      }),

    async setAnswer(scope: Scope, id: string, messageId: string): Promise<void> {
      await pool.query(
        `update inbox_mails set answer_message_id = $3, read_at = coalesce(read_at, now())
         where workspace_id = $1 and id = $2`,
        [scope.workspaceId, id, messageId],
      )
      await announceFigures(scope, pool)
    },

    async remove(scope: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query('delete from inbox_mails where workspace_id = $1 and id = $2', [
        scope.workspaceId,
        id,
      ])
      await announceFigures(scope, pool)
      return rowCount === 1
    },

    /** The content of a message as it was accepted; null where it is gone. */
    findContent: ({ workspaceId }: Scope, messageId: string) =>
      findRow<{ content: string; createdAt: Date }>(
        pool,
        `select content, created_at as "createdAt" from messages
         where workspace_id = $1 and id = $2`,
        [workspaceId, messageId],
      ),
  }
}
