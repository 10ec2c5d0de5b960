import type { Pool } from 'pg'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignDeliveryRow, FoundRecipient, RecipientFilter } from '../../domain/campaigns/campaign.ts'
import type { IdPageQuery, Listed } from '../../domain/core/page.ts'
import { findRow, inTransaction } from '../core/database.ts'
import { erasedRecipient } from '../suppressions/erased-address.sql.ts'
import { toIdPage } from '../core/page.ts'
import { addressHashSql } from './audience.sql.ts'
import { countSql, joinListSql, linesSql, oneSql, pageSql } from './recipient-list.sql.ts'

/** Rows of an export in memory at a time. */
const exportPageCount = 1000
/** No limit of rows. */
const allCount = 2_147_483_647

/** Longest search of a page; a slower one is given up. */
const boundedSql = "begin read only; set local statement_timeout = '2s'"
const canceledCode = '57014'

export type RecipientList = ReturnType<typeof createRecipientList>

/** Recipients of campaigns, filtered. */
export function createRecipientList(pool: Pool) {
  /** The delivery of a whole address, by its hash; null for a part of one, and for an address that is not found. */
  const findDelivery = async (workspaceId: string, id: string, search: string | null): Promise<number | null> => {
    if (search === null || !/^[^@\s]+@[^@\s]+\.[^@\s.]+$/.test(search)) return null
    const { rows } = await pool.query<{ id: number | null }>({
      name: 'find-recipient',
      text: `select delivery_id as id from campaign_recipients
        where workspace_id = $1 and campaign_id = $2 and address_hash = ${addressHashSql('$3')}`,
      values: [workspaceId, id, search],
    })
    return rows[0]?.id ?? null
  }

  const valuesOf = async (
    workspaceId: string,
    id: string,
    { state, search, domain, mailboxId, linkNo, bounceReason }: RecipientFilter,
  ): Promise<unknown[]> => {
    const deliveryId = await findDelivery(workspaceId, id, search)
    const text = deliveryId === null ? search : null
    return [workspaceId, id, state, text, domain, mailboxId, deliveryId, linkNo, bounceReason]
  }

  return {
    /**
     * A page of a campaign's recipients, and the number of those that match; `knownTotal`: the number if it is known.
     * `too_broad`: they cannot be found in 2 s.
     */
    async list(
      { workspaceId }: Scope,
      id: string,
      {
        limit,
        offset,
        afterId = null,
        knownTotal,
        ...filter
      }: RecipientFilter & IdPageQuery & { knownTotal: number | null },
    ): Promise<Listed<CampaignDeliveryRow, number> | 'too_broad'> {
      const values = await valuesOf(workspaceId, id, filter)
      try {
        return await inTransaction(
          pool,
          async ({ client }) => {
            const { rows } = await client.query<CampaignDeliveryRow>(pageSql(filter.act), [
              ...values,
              afterId ?? 0,
              offset + limit + 1,
              offset,
            ])
            const page = toIdPage(rows, limit)
            if (knownTotal !== null) return { ...page, total: knownTotal }
            const counted = await client.query<{ count: number }>(countSql(filter.act), [...values, 0, allCount])
            return { ...page, total: counted.rows[0]?.count ?? 0 }
          },
          boundedSql,
        )
      } catch (error) {
        if ((error as { code?: unknown }).code === canceledCode) return 'too_broad'
        throw error
      }
    },

    /** All matching recipients of a campaign, in the order of their ids; reads one page at a time. */
    async *all({ workspaceId }: Scope, id: string, filter: RecipientFilter): AsyncGenerator<CampaignDeliveryRow> {
      const values = await valuesOf(workspaceId, id, filter)
      for (let after = 0; ;) {
        const { rows } = await pool.query<CampaignDeliveryRow>(pageSql(filter.act), [
          ...values,
          after,
          exportPageCount,
          0,
        ])
        yield* rows
        const last = rows.at(-1)
        if (last === undefined || rows.length < exportPageCount) return
        after = last.id
      }
    },

    /** Addresses of all matching recipients with their own values, in the order of their ids; without erased people. */
    async *lines(
      { workspaceId }: Scope,
      id: string,
      filter: RecipientFilter,
    ): AsyncGenerator<{ email: string; context: MergeContext | null }> {
      const values = await valuesOf(workspaceId, id, filter)
      for (let after = 0; ;) {
        const { rows } = await pool.query<{ id: number; email: string; context: MergeContext | null }>(
          linesSql(filter.act),
          [...values, after, exportPageCount],
        )
        for (const { email, context } of rows) if (email !== erasedRecipient) yield { email, context }
        const last = rows.at(-1)
        if (last === undefined || rows.length < exportPageCount) return
        after = last.id
      }
    },

    /** One recipient. `gone`: its row was dropped with its month, or its person was erased. */
    async find({ workspaceId }: Scope, id: string, deliveryId: number): Promise<FoundRecipient | 'gone' | null> {
      const none = [null, null, null, null]
      const row = await findRow<FoundRecipient>(pool, oneSql, [workspaceId, id, ...none, deliveryId, null, null, 0, 1])
      if (row !== null) return row.recipient === erasedRecipient ? 'gone' : row
      const known = await findRow(
        pool,
        `select from campaign_recipients where workspace_id = $1 and campaign_id = $2 and delivery_id = $3`,
        [workspaceId, id, deliveryId],
      )
      return known === null ? null : 'gone'
    },

    /** Adds the contacts among the matching recipients to a new list; returns how many. */
    async addToList(
      { workspaceId }: Scope,
      id: string,
      filter: RecipientFilter,
      { listId, at }: { listId: number; at: Date },
    ): Promise<number> {
      const values = await valuesOf(workspaceId, id, filter)
      const { rows } = await pool.query<{ count: number }>(joinListSql(filter.act), [
        ...values,
        0,
        allCount,
        listId,
        at,
      ])
      return rows[0]?.count ?? 0
    },
  }
}
