import type { Scope } from '../../domain/auth/scope.ts'
import type { FieldDefinition } from '../../domain/contacts/field-value.ts'
import { inTransaction, type Database } from '../core/database.ts'

/** What a start writes beside the state. */
export interface ImportStart {
  /** New fields of the mapping, in its order. */
  fields: readonly Omit<FieldDefinition, 'no'>[]
  fieldsMaxCount: number
  /** JSON of the mapping; `numbers`: those of the new fields. */
  mappingOf: (numbers: readonly number[]) => string
  at: Date
}

/**
 * Starts a checked import: its new fields, its consent and its state, all or nothing. `taken`: a field has one of the keys;
 * `limit`: there would be too many fields; `state`: the import is in another state.
 */
export async function startImport(
  { pool }: Pick<Database, 'pool'>,
  { workspaceId }: Scope,
  id: number,
  { fields, fieldsMaxCount, mappingOf, at }: ImportStart,
): Promise<'started' | 'taken' | 'limit' | 'state'> {
  return inTransaction(pool, async ({ client }) => {
    const held = await client.query(
      `select from imports where workspace_id = $1 and id = $2 and state = 'checked' for update`,
      [workspaceId, id],
    )
    if (held.rowCount === 0) return 'state'
    const keys = fields.map(({ key }) => key)
    if (new Set(keys).size < keys.length) return 'taken'
    // A lock of its own statement: the next one has to see what the transaction before it committed.
    await client.query('select from workspaces where id = $1 for update', [workspaceId])
    const { rows } = await client.query<{ last: number; living: number; isTaken: boolean }>(
      `select coalesce(max(no), 0)::int as last, (count(*) filter (where deleted_at is null))::int as living,
         coalesce(bool_or(key = any($2::text[]) and deleted_at is null), false) as "isTaken"
       from contact_fields where workspace_id = $1`,
      [workspaceId, keys],
    )
    const { last, living, isTaken } = rows[0] ?? { last: 0, living: 0, isTaken: false }
    if (isTaken) return 'taken'
    if (living + fields.length > fieldsMaxCount) return 'limit'
    const numbers = fields.map((_, at) => last + 1 + at)
    await client.query(
      `insert into contact_fields (workspace_id, no, key, label, type, created_at)
       select $1, given.no, given.key, given.label, given.type, $6
       from unnest($2::smallint[], $3::text[], $4::text[], $5::text[]) as given (no, key, label, type)`,
      [workspaceId, numbers, keys, fields.map(({ label }) => label), fields.map(({ type }) => type), at],
    )
    await client.query('delete from import_refusals where workspace_id = $1 and import_id = $2', [workspaceId, id])
    await client.query(
      `with given as (
         insert into consents (workspace_id, kind, import_id, text, at)
         select workspace_id, 'import', id, consent_text, $4 from imports
         where workspace_id = $1 and id = $2 and consent_text is not null
         on conflict (workspace_id, import_id) where import_id is not null do update set text = excluded.text
         returning id
       )
       update imports set state = 'running', mapping = $3, consent_id = (select id from given), byte_offset = 0, line = 0,
         lease_until = null, added = 0, updated = 0, unchanged = 0, refused = 0, suppressed = 0, repeated = 0, empty = 0
       where workspace_id = $1 and id = $2`,
      [workspaceId, id, mappingOf(numbers), at],
    )
    return 'started'
  })
}
