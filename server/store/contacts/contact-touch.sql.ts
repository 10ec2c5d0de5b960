/**
 * Statement that notes contacts for the evaluation of live segments; nothing without such segments. `source`: a table or
 * expression with the column `id`; `workspaceId`: an SQL expression, of a row `changed` of the source or a parameter.
 */
export const touchSql = (source: string, workspaceId = '$1') => `
  insert into contact_touches (workspace_id, contact_id)
  select ${workspaceId}, changed.id from ${source} as changed
  where exists (select from segments s where s.workspace_id = ${workspaceId} and s.is_live and s.deleted_at is null)`
