import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { DeliveryState } from '../../contract/mail/message.ts'
import type { CampaignStatus } from '../../server/domain/campaigns/campaign.ts'
import type { MessageContent } from '../../server/domain/messages/delivery.ts'
import type { Scope } from '../../server/domain/auth/scope.ts'
import { scopeOf } from './scope.ts'
import type { MailboxKey } from '../../server/domain/messages/delivery.ts'

/** Rows of accepted messages and connected mailboxes, for tests of later steps. */
export interface MailRows {
  readonly workspaceId: string
  readonly scope: Scope
  keyOf: (mailboxId: string) => MailboxKey
  addMailbox: (given?: { emailAddress?: string }) => Promise<string>
  /** A campaign of the workspace, in this state. */
  addCampaign: (status: CampaignStatus) => Promise<string>
  setCampaign: (campaignId: string, status: CampaignStatus) => Promise<void>
  /** Accepts a message for these recipients and returns its id. */
  addMessage: (mailboxId: string, recipients: readonly string[], given?: Partial<MessageContent>) => Promise<string>
  /** The sender's view of the message store. */
  findContents: (workspaceId: string, messageIds: readonly string[]) => Promise<MessageContent[]>
  pause: (mailboxId: string, reason: string, forMs: number | null) => Promise<boolean>
  /** The limits set by a mailbox's owner, as its sender receives them. */
  ownLimits: (mailboxId: string) => Promise<string | undefined>
  /** As DELETE /email/configs does. */
  remove: (mailboxId: string) => Promise<void>
  deliveries: (messageId?: string) => Promise<DeliveryFacts[]>
  /** The number of deliveries in each state that occurs. */
  states: () => Promise<Partial<Record<DeliveryState, number>>>
}

/** A delivery as a test sees it. */
export interface DeliveryFacts {
  id: number
  recipient: string
  state: DeliveryState
  attempts: number
  reply: string | null
  leaseOwner: string | null
  /** From now, in ms. */
  dueInMs: number
  settledAt: Date | null
}

/** Empties all tables of sending, except the month partitions. */
export async function emptyTables(pool: Pool): Promise<void> {
  await pool.query('truncate workspaces, email_configs, messages, deliveries, mailbox_usage, mailbox_slots cascade')
}

/** Writes and reads rows of one database, in a workspace of its own. */
export async function createMailRows(pool: Pool): Promise<MailRows> {
  const workspaceId = randomUUID()
  await pool.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'Test'])

  return {
    workspaceId,
    scope: scopeOf(workspaceId),
    keyOf: (mailboxId) => ({ workspaceId, mailboxId }),

    async addMailbox({ emailAddress = 'ann@example.com' } = {}) {
      const id = randomUUID()
      await pool.query(
        `insert into email_configs (id, workspace_id, email_address, provider) values ($1, $2, $3, 'other')
         on conflict do nothing`,
        [id, workspaceId, `${id.slice(0, 8)}.${emailAddress}`],
      )
      return id
    },

    async addCampaign(status) {
      const id = randomUUID()
      await pool.query('insert into campaigns (id, workspace_id, status) values ($1, $2, $3)', [
        id,
        workspaceId,
        status,
      ])
      return id
    },

    async setCampaign(campaignId, status) {
      await pool.query('update campaigns set status = $2 where id = $1', [campaignId, status])
    },

    async addMessage(mailboxId, recipients, given = {}) {
      const id = randomUUID()
      const { fromAddress = 'ann@example.com', subject = 'Hi', content = '<p>Hello</p>', isHtml = true } = given
      await pool.query(
        `insert into messages
           (id, workspace_id, config_id, from_address, subject, content, is_html, context, extra_headers, campaign_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          id,
          workspaceId,
          mailboxId,
          fromAddress,
          subject,
          content,
          isHtml,
          given.context ?? {},
          JSON.stringify(given.extraHeaders ?? []),
          given.campaignId ?? null,
        ],
      )
      await pool.query(
        `insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient)
         select date_trunc('month', now() at time zone 'utc')::date, $1, $2, $3, $4, recipient
         from unnest($5::text[]) as recipient`,
        [workspaceId, id, mailboxId, given.campaignId ?? null, recipients],
      )
      return id
    },

    async findContents(workspaceId, messageIds) {
      const { rows } = await pool.query<Omit<MessageContent, 'group'>>(
        `select id, workspace_id as "workspaceId", campaign_id as "campaignId", from_address as "fromAddress", subject,
           content, is_html as "isHtml", context, extra_headers as "extraHeaders", from_name as "fromName",
           reply_to as "replyTo", text_part as "textPart"
         from messages where workspace_id = $2 and id = any($1::uuid[])`,
        [messageIds, workspaceId],
      )
      return rows.map((row) => ({ ...row, group: null }))
    },

    async pause(mailboxId, reason, forMs) {
      await pool.query(
        `update email_configs set status = 'paused', pause_reason = $2,
           paused_until = now() + $3::float8 * interval '1 millisecond' where id = $1`,
        [mailboxId, reason, forMs],
      )
      return true
    },

    async ownLimits(mailboxId) {
      const { rows } = await pool.query<{ own: string }>(
        `select concat_ws('/', coalesce(limit_per_minute, 0), coalesce(limit_per_day, 0), coalesce(limit_connections, 0)) as own
         from email_configs where id = $1`,
        [mailboxId],
      )
      return rows[0]?.own
    },

    async remove(mailboxId) {
      await pool.query('update email_configs set deleted_at = now() where id = $1', [mailboxId])
    },

    async deliveries(messageId) {
      const { rows } = await pool.query<DeliveryFacts>(
        `select id, recipient, state, attempts, reply, lease_owner as "leaseOwner",
           (extract(epoch from next_attempt_at - now()) * 1000)::float8 as "dueInMs", settled_at as "settledAt"
         from deliveries where $1::uuid is null or message_id = $1 order by id`,
        [messageId ?? null],
      )
      return rows
    },

    async states() {
      const { rows } = await pool.query<{ state: DeliveryState; count: number }>(
        'select state, count(*)::int as count from deliveries group by state',
      )
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
  }
}
