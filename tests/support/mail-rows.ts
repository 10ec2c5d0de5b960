import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { MergeContext } from '../../contract/merge-variables.ts'
import type { DeliveryState } from '../../contract/message.ts'
import type { MessageContent } from '../../server/domain/delivery.ts'

/** Rows as accepted messages and connected mailboxes leave them, for tests of what comes after. */
export interface MailRows {
  readonly workspaceId: string
  addMailbox: (given?: { emailAddress?: string }) => Promise<string>
  /** Accepts a message for these recipients; gives its id. */
  addMessage: (configId: string, recipients: readonly string[], given?: Partial<MessageContent>) => Promise<string>
  /** What the message store gives to the sender. */
  findContent: (messageId: string) => Promise<MessageContent | null>
  pause: (configId: string, reason: string, until: Date | null) => Promise<void>
  /** As DELETE /email/configs does. */
  remove: (configId: string) => Promise<void>
  deliveries: (messageId?: string) => Promise<DeliveryFacts[]>
  /** How many deliveries there are in each state that occurs. */
  states: () => Promise<Partial<Record<DeliveryState, number>>>
}

/** A delivery as a test looks at it. */
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

/** Writes and reads rows of one database, in a workspace of its own. */
export async function createMailRows(pool: Pool): Promise<MailRows> {
  const workspaceId = randomUUID()
  await pool.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'Test'])

  return {
    workspaceId,

    async addMailbox({ emailAddress = 'ann@example.com' } = {}) {
      const id = randomUUID()
      await pool.query(
        `insert into email_configs (id, workspace_id, email_address, provider) values ($1, $2, $3, 'other')
         on conflict do nothing`,
        [id, workspaceId, `${id.slice(0, 8)}.${emailAddress}`],
      )
      return id
    },

    async addMessage(configId, recipients, given = {}) {
      const id = randomUUID()
      const { fromAddress = 'ann@example.com', subject = 'Hi', content = '<p>Hello</p>', isHtml = true } = given
      await pool.query(
        `insert into messages (id, workspace_id, config_id, from_address, subject, content, is_html, context)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, workspaceId, configId, fromAddress, subject, content, isHtml, given.context ?? {}],
      )
      await pool.query(
        `insert into deliveries (month, workspace_id, message_id, config_id, recipient)
         select date_trunc('month', now() at time zone 'utc')::date, $1, $2, $3, recipient from unnest($4::text[]) as recipient`,
        [workspaceId, id, configId, recipients],
      )
      return id
    },

    async findContent(messageId) {
      const { rows } = await pool.query<MessageContent & { context: MergeContext }>(
        `select id, from_address as "fromAddress", subject, content, is_html as "isHtml", context
         from messages where id = $1`,
        [messageId],
      )
      return rows[0] ?? null
    },

    async pause(configId, reason, until) {
      await pool.query(
        `update email_configs set status = 'paused', pause_reason = $2, paused_until = $3 where id = $1`,
        [configId, reason, until],
      )
    },

    async remove(configId) {
      await pool.query('update email_configs set deleted_at = now() where id = $1', [configId])
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
