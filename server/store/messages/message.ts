import type { IdPageQuery } from '../../domain/core/page.ts'
import { toIdPage } from '../core/page.ts'
import { deliveryStates, type DeliveryState } from '../../../contract/mail/message.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { EncodedAttachment, MessageContent, UnopenedMessage } from '../../domain/messages/delivery.ts'
import type { Accepted, DeliveryRow, MessageRow, NewDeliveries, NewMessage } from '../../domain/messages/message.ts'
import { encodeAttachment, type AttachmentOfMessage } from '../attachments/encode-attachment.ts'
import { createBlobStore } from '../blobs/blob.ts'
import { createInlineImages } from '../images/inline-images.ts'
import { acceptSql, acceptValues, monthNowSql, type AcceptedMessage } from './accept.sql.ts'
import { createBatcher } from '../core/batcher.ts'
import { findRow, isDataFault, type Database, type Queryable } from '../core/database.ts'
import { selectList } from '../core/sql.ts'
import type { messages } from '../schema/messages.ts'
import { VaultError, type Place, type Vault } from '../vault/vault.ts'
import type { Scope } from '../../domain/auth/scope.ts'

type ContentRow = Pick<
  typeof messages.$inferSelect,
  | 'id'
  | 'workspaceId'
  | 'campaignId'
  | 'fromAddress'
  | 'subject'
  | 'content'
  | 'isHtml'
  | 'context'
  | 'contextSealed'
  | 'extraHeaders'
  | 'fromName'
  | 'replyTo'
  | 'textPart'
  | 'cc'
  | 'bcc'
> & { to: string[] | null }

const contentColumns = `${selectList<ContentRow>(
  ['id', 'workspaceId', 'campaignId', 'fromAddress', 'subject', 'content', 'isHtml', 'context', 'contextSealed'],
  ['extraHeaders', 'fromName', 'replyTo', 'textPart', 'cc', 'bcc'],
)}, case when cc <> '{}' or bcc <> '{}' then (
    select array_agg(d.recipient order by d.id) from deliveries d
    where d.workspace_id = messages.workspace_id and d.message_id = messages.id and d.recipient <> all(cc || bcc)
  ) end as "to"`

const deliveryColumns = selectList<DeliveryRow>([
  'id',
  'recipient',
  'state',
  'attempts',
  'reply',
  'attemptReplies',
  'nextAttemptAt',
  'settledAt',
])

const placeOf = ({ id, workspaceId }: { id: string; workspaceId: string }): Place => ({
  table: 'messages',
  column: 'context_sealed',
  row: id,
  workspace: workspaceId,
})

/** A run takes the messages that arrived during the previous runs. Weight: characters. */
const acceptRuns = { maxCount: 200, maxWeight: 4_000_000, maxRuns: 1 }

const weightOf = ({ content, recipients }: AcceptedMessage): number => content.length + 64 * recipients.length

export type MessageStore = ReturnType<typeof createMessageStore>

/** Accepted messages and the states of their deliveries. */
export function createMessageStore({ pool }: Pick<Database, 'pool'>, vault: Pick<Vault, 'seal' | 'open'>) {
  const acceptTogether = createBatcher({
    ...acceptRuns,
    weigh: weightOf,
    run: (batch: readonly AcceptedMessage[]) => acceptAll(pool, batch),
    isItemsFault: isDataFault,
  })

  const open = (sealed: Buffer, place: Place): MergeContext | null => {
    try {
      return JSON.parse(vault.open(sealed, place)) as MergeContext
    } catch (error) {
      if (error instanceof VaultError) return null
      throw error
    }
  }

  const blobs = createBlobStore({ pool })
  const inlineImages = createInlineImages({ pool })
  const encodeFiles = async (scope: Scope, files: readonly AttachmentOfMessage[]): Promise<EncodedAttachment[]> => {
    const encoded: EncodedAttachment[] = []
    for (const file of files)
      encoded.push(await encodeAttachment(file, blobs.read(scope, Buffer.from(file.sha256, 'hex'))))
    return encoded
  }

  return {
    /**
     * Inserts the message and one delivery for each recipient; committed when it resolves, unless `executor` is in a
     * transaction. Concurrent calls share a commit. Null, and nothing is inserted, if the mailbox was deleted or
     * changed, or the message exists.
     */
    async accept({ workspaceId }: Scope, message: NewMessage, executor?: Queryable): Promise<Accepted | null> {
      const { id, context, sealContext } = message
      const sealedContext = sealContext ? vault.seal(JSON.stringify(context), placeOf({ id, workspaceId })) : null
      const accepted = { ...message, workspaceId, sealedContext }
      if (executor === undefined) return acceptTogether(accepted)
      const [result = null] = await acceptAll(executor, [accepted])
      return result
    },

    /**
     * Adds recipients to an accepted message, a few thousand per call; each call is one committed statement. Returns
     * the number of rows: 0 if the message was deleted. Call `analyze` after the last.
     */
    async addDeliveries({ workspaceId }: Scope, { messageId, recipients }: NewDeliveries): Promise<number> {
      const { rowCount } = await pool.query({
        name: 'add-deliveries',
        text: addDeliveriesSql,
        values: [
          messageId,
          recipients.map(({ address }) => address),
          recipients.map(({ context }) => (context === null ? null : JSON.stringify(context))),
          recipients.map(({ isSuppressed = false }) => isSuppressed),
          workspaceId,
        ],
      })
      return rowCount ?? 0
    },

    /** To be called after many rows were added, so that the planner has statistics of the queue. */
    async analyze(): Promise<void> {
      await pool.query('analyze deliveries')
    },

    /**
     * Contents of messages with decrypted contexts, for the sender only. Omits deleted messages; a message whose
     * context cannot be decrypted is marked, so that it does not block others.
     */
    async findContents(scope: Scope, ids: readonly string[]): Promise<(MessageContent | UnopenedMessage)[]> {
      const { workspaceId } = scope
      const { rows } = await pool.query<ContentRow & { files: AttachmentOfMessage[] | null; isRead: boolean | null }>(
        `select ${contentColumns}, (
           select c.is_reading from email_configs c where c.workspace_id = $1 and c.id = messages.config_id
         ) as "isRead", (
           select json_agg(json_build_object('sha256', encode(a.sha256, 'hex'), 'filename', a.filename,
             'contentType', a.content_type, 'sizeBytes', a.size_bytes, 'inlineId', a.inline_id) order by a.position)
           from attachments a where a.workspace_id = $1
             and (a.owner_kind, a.owner_id) in (('message', messages.id::text), ('campaign', messages.campaign_id::text))
         ) as files
         from messages where workspace_id = $1 and id = any($2)`,
        [workspaceId, ids],
      )
      const encoded = new Map<string, EncodedAttachment[]>()
      for (const row of rows) {
        const shown = row.isHtml ? await inlineImages(scope, row.content) : { html: row.content, files: [] }
        row.content = shown.html
        const files = [...shown.files, ...(row.files ? await encodeFiles(scope, row.files) : [])]
        if (files.length > 0) encoded.set(row.id, files)
      }
      return rows.map((row) => {
        const context = row.contextSealed === null ? row.context : open(row.contextSealed, placeOf(row))
        if (context === null) return { id: row.id, isUnopened: true }
        const { contextSealed: _sealed, files: _files, isRead, cc, bcc, to, ...content } = row
        const attachments = encoded.get(row.id)
        const group = cc.length + bcc.length === 0 ? null : { to: to ?? [], cc }
        return {
          ...content,
          context,
          extraHeaders: row.extraHeaders ?? [],
          group,
          ...(isRead === true && { isRead }),
          ...(attachments && { attachments }),
        }
      })
    },

    /** Whether the workspace has such a message. */
    async exists({ workspaceId }: Scope, id: string): Promise<boolean> {
      const { rowCount } = await pool.query('select from messages where workspace_id = $1 and id = $2', [
        workspaceId,
        id,
      ])
      return rowCount === 1
    },

    /** The result of accepting a message; null if the workspace has no such message. */
    findAccepted: ({ workspaceId }: Scope, id: string) =>
      findRow<Accepted>(
        pool,
        `select (select count(*) from deliveries d
           where d.workspace_id = $1 and d.message_id = $2 and d.state = 'suppressed') as "suppressedCount",
           undo_until as "undoUntil"
         from messages where workspace_id = $1 and id = $2`,
        [workspaceId, id],
      ),

    /** A message with a page of its deliveries, or null; `mailboxId`: only if it was sent from that mailbox. */
    async find(
      { workspaceId }: Scope,
      { id, mailboxId }: { id: string; mailboxId: string | null },
      { limit, offset, afterId = null }: IdPageQuery,
    ): Promise<MessageRow | null> {
      const found = await pool.query<Omit<MessageRow, 'counts' | 'deliveries' | 'next'>>(
        `select ${selectList<MessageRow>(['id', 'fromAddress', 'subject', 'createdAt'])},
           cc <> '{}' or bcc <> '{}' as "isGroup" from messages
         where workspace_id = $1 and id = $2 and ($3::uuid is null or config_id = $3)`,
        [workspaceId, id, mailboxId],
      )
      const [message] = found.rows
      if (message === undefined) return null
      // One statement, so that the counts are those of the deliveries beside them.
      const { rows } = await pool.query<DeliveryRow & { counts: Partial<Record<DeliveryState, number>> | null }>(
        `select page.*, counts from (
           select json_object_agg(state, count) as counts from (
             select state, count(*) from deliveries where workspace_id = $1 and message_id = $2 group by state
           ) states
         ) counted left join (
           select ${deliveryColumns} from deliveries where workspace_id = $1 and message_id = $2
             and ($3::bigint is null or id > $3) order by id limit $4 offset $5
         ) page on true order by page.id`,
        [workspaceId, id, afterId, limit + 1, offset],
      )
      const none = Object.fromEntries(deliveryStates.map((state) => [state, 0])) as Record<DeliveryState, number>
      const counts = { ...none, ...rows[0]?.counts }
      const shown = rows.flatMap(({ counts: _counts, ...row }) => ((row.id as number | null) === null ? [] : [row]))
      const { rows: deliveries, next } = toIdPage(shown, limit)
      return { ...message, counts, deliveries, next }
    },
  }
}

const withOptions = { name: 'accept-messages-with-options', text: acceptSql.withOptions }
const withoutOptions = { name: 'accept-messages', text: acceptSql.withoutOptions }

/** In the order of the messages; null for those that were not inserted. */
async function acceptAll(executor: Queryable, messages: readonly AcceptedMessage[]): Promise<(Accepted | null)[]> {
  const hasOptions = messages.some(({ options }) => options !== undefined)
  const { rows } = await executor.query<Accepted & { id: string }>({
    ...(hasOptions ? withOptions : withoutOptions),
    values: acceptValues(messages),
  })
  const written = new Map(rows.map(({ id, ...accepted }) => [id, accepted]))
  return messages.map(({ id }) => written.get(id) ?? null)
}

const addDeliveriesSql = `
  insert into deliveries
    (month, workspace_id, message_id, config_id, campaign_id, recipient, context, state, settled_at)
  select ${monthNowSql}, message.workspace_id, message.id, message.config_id, message.campaign_id, entry.recipient,
    entry.context::jsonb, case when entry.is_suppressed then 'suppressed' else 'queued' end,
    case when entry.is_suppressed then now() end
  from messages message,
    unnest($2::text[], $3::text[], $4::boolean[]) with ordinality
      as entry (recipient, context, is_suppressed, position)
  where message.workspace_id = $5 and message.id = $1
  order by entry.position`
