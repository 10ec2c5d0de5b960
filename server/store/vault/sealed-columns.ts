import type { Place } from './vault.ts'

/** A column with sealed values and the names of its place (see Place). Rows are keyed by a uuid `id`. */
export interface SealedColumn {
  table: string
  /** The column itself. */
  sealed: string
  /** Its name in the place. */
  column: string
  /** The column with the row's workspace. */
  workspace: string
}

/**
 * Every column whose values `keys:rotate` wraps again: all sealed ones but the check values of keys, and rows that are
 * deleted within a day. A test compares this list with the schema.
 */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'email_configs', sealed: 'app_password_sealed', column: 'app_password', workspace: 'workspace_id' },
  { table: 'email_configs', sealed: 'oauth_tokens_sealed', column: 'oauth_tokens', workspace: 'workspace_id' },
  { table: 'email_configs', sealed: 'secret_key_sealed', column: 'secret_key', workspace: 'workspace_id' },
  { table: 'messages', sealed: 'context_sealed', column: 'context_sealed', workspace: 'workspace_id' },
]

/** The place of a row's value. */
export function placeIn({ table, column }: SealedColumn, row: string, workspace: string): Place {
  return { table, column, row, workspace }
}
