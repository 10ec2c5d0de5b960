import type { Pool, PoolClient } from 'pg'
import { filteredCountMaxCount } from '../../../contract/hosted/hosted.limits.ts'
import type { CollectionQuota } from '../../domain/hosted/hosted-access.ts'
import type { DocumentFilter } from '../../domain/hosted/hosted-filter.ts'
import type { DocumentData, DocumentRow } from '../../domain/auth/hosted.ts'
import { countRows, findRow, inTransaction } from '../core/database.ts'
import type { Listed, PageQuery } from '../../domain/core/page.ts'
import { afterValues, isAfter, sortAtColumn, toPage } from '../core/page.ts'
import { filterCondition } from './hosted-filter.sql.ts'

/** A page of a collection. `total`: number of matching documents, or a lower bound. */
export interface DocumentPage extends Listed<DocumentRow> {
  isTotalExact: boolean
}

type Client = Pick<PoolClient, 'query'>

const columns = `id, data, created_at as "createdAt", updated_at as "updatedAt"`
const insertSql = `insert into hosted_documents (collection, id, data) values ($1, $2, $3)
  on conflict do nothing returning ${columns}`
const order = 'order by created_at, id'
/** Time limit of a list: a filter without an index scans the collection. */
const beginList = 'begin read only; set local statement_timeout = 5000'
/** SQLSTATE `query_canceled`. */
const cancelled = '57014'

class QuotaExceeded extends Error {}

export type HostedDocumentStore = ReturnType<typeof createHostedDocumentStore>

/** Hosted documents. Triggers count, log and announce their changes. */
export function createHostedDocumentStore(pool: Pool) {
  return {
    find: (collection: string, id: string) =>
      findRow<DocumentRow>(pool, `select ${columns} from hosted_documents where collection = $1 and id = $2`, [
        collection,
        id,
      ]),

    /** `exists`: the id is in use; `full`: the collection's quota would be exceeded. Nothing is changed then. */
    async create(
      document: { collection: string; id: string; data: DocumentData },
      quota: CollectionQuota | null,
    ): Promise<DocumentRow | 'exists' | 'full'> {
      const values = [document.collection, document.id, JSON.stringify(document.data)]
      const insert = async (client: Client) => (await client.query<DocumentRow>(insertSql, values)).rows[0] ?? 'exists'
      if (quota === null) return insert(pool)
      return within(pool, document.collection, quota, insert)
    },

    /** Updates a document; concurrent updates run one after the other. Null if it does not exist. */
    async update(
      { collection, id }: { collection: string; id: string },
      change: (data: DocumentData) => DocumentData,
      quota: CollectionQuota | null,
    ): Promise<DocumentRow | 'full' | null> {
      return within(pool, collection, quota, async (client) => {
        const { rows } = await client.query<{ data: DocumentData }>(
          'select data from hosted_documents where collection = $1 and id = $2 for update',
          [collection, id],
        )
        if (rows[0] === undefined) return null
        const changed = await client.query<DocumentRow>(
          `update hosted_documents set data = $3, updated_at = now() where collection = $1 and id = $2 returning ${columns}`,
          [collection, id, JSON.stringify(change(rows[0].data))],
        )
        return changed.rows[0] ?? null
      })
    },

    /** False if it does not exist. */
    async remove(collection: string, id: string): Promise<boolean> {
      const { rowCount } = await pool.query('delete from hosted_documents where collection = $1 and id = $2', [
        collection,
        id,
      ])
      return rowCount === 1
    },

    /** Oldest first. Null if filters without an index took longer than 5 s. */
    async list(collection: string, filters: readonly DocumentFilter[], page: PageQuery): Promise<DocumentPage | null> {
      if (filters.length === 0) return listAll(pool, collection, page)
      try {
        return await inTransaction(pool, ({ client }) => listSome(client, collection, filters, page), beginList)
      } catch (error) {
        if ((error as { code?: string }).code === cancelled) return null
        throw error
      }
    },
  }
}

/** Runs work in a transaction and rolls back if the collection exceeds its quota. */
async function within<T>(
  pool: Pool,
  collection: string,
  quota: CollectionQuota | null,
  work: (client: Client) => Promise<T>,
): Promise<T | 'full'> {
  try {
    return await inTransaction(pool, async ({ client }) => {
      const result = await work(client)
      if (quota === null) return result
      // The counter row is locked until the commit, so concurrent writes wait.
      const { rows } = await client.query<{ isFull: boolean }>(
        `select document_count > $2 or octets > $3 as "isFull" from hosted_collections where name = $1`,
        [collection, quota.count, quota.octets],
      )
      if (rows[0]?.isFull) throw new QuotaExceeded()
      return result
    })
  } catch (error) {
    if (error instanceof QuotaExceeded) return 'full'
    throw error
  }
}

async function listAll(pool: Pool, collection: string, { limit, offset, after }: PageQuery): Promise<DocumentPage> {
  const [documents, total] = await Promise.all([
    pool.query<DocumentRow & { sortAt: string }>(
      `select ${columns}, ${sortAtColumn()} from hosted_documents
       where collection = $1 and ${isAfter('asc', 2, { idType: 'text' })} ${order} limit $4 offset $5`,
      [collection, ...afterValues(after), limit + 1, offset],
    ),
    countRows(pool, 'select document_count as count from hosted_collections where name = $1', [collection]),
  ])
  return { ...toPage<DocumentRow>(documents.rows, limit), total, isTotalExact: true }
}

/** One statement, so that page and count use one snapshot. The last page of an offset needs no count. */
async function listSome(
  client: Client,
  collection: string,
  filters: readonly DocumentFilter[],
  { limit, offset, after = null }: PageQuery,
): Promise<DocumentPage> {
  const values: unknown[] = [collection]
  const where = `from hosted_documents where collection = $1${filterCondition(filters, values)}`
  const bind = (value: number) => `$${values.push(value)}::bigint`
  const [limitAt, offsetAt, countAt] = [bind(limit + 1), bind(offset), bind(filteredCountMaxCount + 1)]
  const isBehind = isAfter('asc', values.length + 1, { idType: 'text' })
  values.push(...afterValues(after))
  const { rows } = await client.query<
    Omit<DocumentRow, 'id'> & { id: string | null; sortAt: string; counted: number | null }
  >(
    `with page as materialized (select ${columns}, ${sortAtColumn()} ${where} and ${isBehind} ${order} limit ${limitAt} offset ${offsetAt}),
     -- A page that is not full is the last one: its rows are the count.
     known as (select ${after === null} and count(*) < ${limitAt} and (count(*) > 0 or ${offsetAt} = 0) as is_end from page)
     select page.*, case when not (select is_end from known)
       then (select count(*) from (select ${where} limit ${countAt}) as matching) end as counted
     from (select) as always left join page on true order by "createdAt", id`,
    values,
  )
  const counted = rows[0]?.counted ?? null
  const found = rows.flatMap(({ counted: _, id, ...row }) => (id === null ? [] : [{ id, ...row }]))
  const page = toPage<DocumentRow>(found, limit)
  const shownCount = offset + page.rows.length
  if (counted === null) return { ...page, total: shownCount, isTotalExact: true }
  const isTotalExact = counted <= filteredCountMaxCount
  return { ...page, total: isTotalExact ? counted : Math.max(filteredCountMaxCount, shownCount), isTotalExact }
}
