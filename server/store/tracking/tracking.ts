import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'
import type { CampaignStatus } from '../../domain/campaigns/campaign.ts'
import type { MessageLinks } from '../../domain/messages/delivery.ts'
import type { TrackedLink } from '../../domain/tracking/mail-link.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { textArray } from '../core/array-literal.ts'
import type { Database } from '../core/database.ts'

export type TrackingStore = ReturnType<typeof createTrackingStore>

/** Tracking of campaigns, messages and contacts. */
export function createTrackingStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** How the links of messages are made, by the message's id. */
    async findLinks(
      { workspaceId }: Scope,
      messageIds: readonly string[],
    ): Promise<ReadonlyMap<string, Omit<MessageLinks, 'workspaceNo'>>> {
      const { rows } = await pool.query<Omit<MessageLinks, 'workspaceNo'> & { id: string }>(
        `select m.id, m.tracking, m.link_base as base, m.link_key_id as "keyId", coalesce(c.utm, '{}') as utm
         from messages m left join campaigns c on c.workspace_id = m.workspace_id and c.id = m.campaign_id
         where m.workspace_id = $1 and m.id = any($2)`,
        [workspaceId, messageIds],
      )
      return new Map(rows.map(({ id, ...links }) => [id, links]))
    },

    /** Keeps the links of a tracked message. Idempotent; a deleted message has none. */
    async saveLinks({ workspaceId }: Scope, messageId: string, links: readonly TrackedLink[]): Promise<void> {
      if (links.length === 0) return
      await pool.query(
        `insert into tracked_links (workspace_id, message_id, no, url, label)
         select m.workspace_id, m.id, given.no, given.url, given.label
         from messages m, unnest($3::smallint[], $4::text[], $5::text[]) as given (no, url, label)
         where m.workspace_id = $1 and m.id = $2
         on conflict (workspace_id, message_id, no) do nothing`,
        [
          workspaceId,
          messageId,
          links.map(({ no }) => no),
          links.map(({ url }) => url),
          links.map(({ label }) => label),
        ],
      )
    },

    /** Of these addresses, those whose contacts restrict tracking. `keys`: their lower-case forms. */
    async findRestricted(
      { workspaceId }: Scope,
      addresses: readonly string[],
    ): Promise<ReadonlyMap<string, TrackingMode>> {
      const { rows } = await pool.query<{ at: number; tracking: TrackingMode }>({
        name: 'find-restricted-contacts',
        // One look-up in the index for each address, whatever the planner expects of the contacts.
        text: `select asked.at::int, c.tracking from unnest($2::text[]) with ordinality as asked (key, at)
             cross join lateral (
               select c.tracking from contacts c where c.workspace_id = $1 and c.email_key = asked.key limit 1
             ) c
           where c.tracking in ('off', 'counts')`,
        values: [workspaceId, textArray(addresses.map((address) => address.toLowerCase()))],
      })
      return new Map(rows.map(({ at, tracking }) => [addresses[at - 1] ?? '', tracking]))
    },

    /** What a contact restricts tracking to; null without a restriction or such a contact. */
    async findOfContact({ workspaceId }: Scope, contactId: string): Promise<TrackingMode | null> {
      const { rows } = await pool.query<{ tracking: TrackingMode | null }>(
        'select tracking from contacts where workspace_id = $1 and id = $2',
        [workspaceId, contactId],
      )
      return rows[0]?.tracking ?? null
    },

    /** Restricts tracking of a contact; null ends the restriction. */
    async setOfContact({ workspaceId }: Scope, contactId: string, mode: TrackingMode | null): Promise<void> {
      await pool.query('update contacts set tracking = $3 where workspace_id = $1 and id = $2', [
        workspaceId,
        contactId,
        mode,
      ])
    },

    /** Changes a campaign in one of these states. False if it is in another one. */
    async setCampaign(
      { workspaceId }: Scope,
      id: string,
      from: readonly CampaignStatus[],
      {
        tracking,
        utm,
        frequencyExempt,
      }: {
        tracking?: TrackingMode | null | undefined
        utm?: Readonly<Record<string, string>> | undefined
        frequencyExempt?: boolean | undefined
      },
    ): Promise<boolean> {
      const { rowCount } = await pool.query(
        `update campaigns set tracking = case when $4 then $5 else tracking end, utm = coalesce($6, utm),
           frequency_exempt = coalesce($7, frequency_exempt)
         where workspace_id = $1 and id = $2 and deleted_at is null and status = any($3)`,
        [
          workspaceId,
          id,
          from,
          tracking !== undefined,
          tracking ?? null,
          utm === undefined ? null : JSON.stringify(utm),
          frequencyExempt ?? null,
        ],
      )
      return rowCount === 1
    },
  }
}
