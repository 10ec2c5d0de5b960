import { randomUUID } from 'node:crypto'
import { plainArray, textArray } from '../../core/array-literal.ts'
import type { DigestedEvent } from '../taken.ts'

/**
 * A part of the product that acts on events. `statement` runs once for each batch with events of its kinds, in the transaction
 * that digests them. It reads them from the table `batch`; `$1` is the workspace.
 */
export interface Consumer {
  /** Unique; lower case letters and hyphens. */
  name: string
  kinds: ReadonlySet<number>
  /** Only events that no program caused. */
  isOfPeople?: boolean
  /** The columns of `batch` that it reads. `new_id`: a new uuid, for rows that need one; `config_id`, `email`: of the mail. */
  columns: readonly BatchColumn[]
  /** Begins behind the CTE `batch`: with `select`, `insert` or `update`, or with a comma and further CTEs. */
  statement: string
}

export type BatchColumn = keyof typeof batchColumns

interface Column {
  type: string
  /** How the column is read where it is not of `type`. */
  sql?: string
  /** The array of the events' values. */
  read: (events: readonly DigestedEvent[]) => string
}

const plain = (type: string, read: (event: DigestedEvent) => string | number | null, sql?: string): Column => ({
  type,
  ...(sql !== undefined && { sql }),
  read: (events) => plainArray(events.map(read)),
})

const batchColumns = {
  seq: plain('bigint', ({ seq }) => seq),
  at: plain('float8', ({ at }) => at, 'to_timestamp(e.at / 1000) as at'),
  kind: plain('smallint', ({ kind }) => kind),
  campaign_id: plain('uuid', ({ campaignId }) => campaignId),
  config_id: plain('uuid', ({ mailboxId }) => mailboxId),
  contact_id: plain('bigint', ({ contactId }) => contactId),
  email: { type: 'text', read: (events) => textArray(events.map(({ email }) => email)) },
  flags: plain('smallint', ({ flags }) => flags),
  detail: {
    type: 'jsonb',
    read: (events) => textArray(events.map(({ detail }) => (detail === null ? null : JSON.stringify(detail)))),
  },
  new_id: plain('uuid', () => randomUUID()),
} as const satisfies Record<string, Column>

/** The whole statement of a consumer. */
export function consumerSql({ columns, statement }: Pick<Consumer, 'columns' | 'statement'>): string {
  const given: Column[] = columns.map((name) => batchColumns[name])
  const read = columns.map((name, index) => given[index]?.sql ?? `e.${name}`)
  const arrays = given.map(({ type }, index) => `$${index + 2}::${type}[]`)
  return `
  with batch as materialized (
    select $1::uuid as workspace_id, ${read.join(', ')} from unnest(${arrays.join(', ')}) as e (${columns.join(', ')})
  ) ${statement}`
}

/** The parameters of `consumerSql` behind the workspace; null where no event is for the consumer. */
export function consumerValues(
  { kinds, columns, isOfPeople = false }: Consumer,
  events: readonly DigestedEvent[],
): string[] | null {
  const own = events.filter(({ kind, verdict }) => kinds.has(kind) && (!isOfPeople || (verdict ?? 1) === 1))
  return own.length === 0 ? null : columns.map((name) => batchColumns[name].read(own))
}
