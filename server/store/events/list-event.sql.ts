import { eventKinds } from '../../../contract/results/event.ts'

/**
 * Statement that notes that contacts joined or left a list. `source`: a table or expression with the column `id`; `list` and
 * `at`: SQL expressions; `$1` is the workspace.
 */
export const listEventSql = (kind: 'list_joined' | 'list_left', source: string, list: string, at: string): string => `
  insert into event_inbox (workspace_id, at, kind, contact_id, detail)
  select $1, ${at}, ${eventKinds[kind]}, changed.id, jsonb_build_object('list_id', (${list})::text) from ${source} as changed`
