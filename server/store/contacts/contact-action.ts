import type { ContactActionKind } from '../../../contract/audience/contact-action.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { ActionRow, ActionTarget } from '../../domain/contacts/contact-action.ts'
import { inTransaction, isDataFault, type Database } from '../core/database.ts'
import { selectList, selectListOf } from '../core/sql.ts'
import { beginEvaluation } from '../segments/evaluation.ts'
import { listEventSql } from '../events/list-event.sql.ts'
import { touchSql } from './contact-touch.sql.ts'
import { selectionSql, type ContactSelection } from './contact-filter.sql.ts'

const properties = ['id', 'workspaceId', 'kind', 'filter', 'state', 'done', 'total', 'afterId', 'createdAt'] as const
const columns = selectList<ActionRow>(properties)

/** Longest statement of a batch. */
const batchTimeoutMs = 60_000

export type ContactActionStore = ReturnType<typeof createContactActionStore>

/** Actions on many contacts, and what they changed. */
export function createContactActionStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Null while another action of the workspace runs. */
    async create(
      { workspaceId }: Scope,
      {
        kind,
        target,
        total,
        createdBy,
        at,
      }: { kind: ContactActionKind; target: ActionTarget; total: number; createdBy: string; at: Date },
    ): Promise<ActionRow | null> {
      try {
        const { rows } = await pool.query<ActionRow>(
          `insert into bulk_actions (workspace_id, kind, filter, state, total, created_by, created_at)
           values ($1, $2, $3, 'running', $4, $5, $6) returning ${columns}`,
          [workspaceId, kind, JSON.stringify(target), total, createdBy, at],
        )
        return rows[0] ?? null
      } catch (error) {
        if (isDataFault(error) && (error as { constraint?: string }).constraint === 'bulk_actions_running') return null
        throw error
      }
    },

    async find({ workspaceId }: Scope, id: number): Promise<ActionRow | null> {
      const { rows } = await pool.query<ActionRow>(
        `select ${columns} from bulk_actions where workspace_id = $1 and id = $2`,
        [workspaceId, id],
      )
      return rows[0] ?? null
    },

    /** Begins to undo an action that is done and was started after `since`. Null where it cannot be undone. */
    async beginUndo({ workspaceId }: Scope, id: number, since: Date): Promise<ActionRow | null> {
      const { rows } = await pool.query<ActionRow>(
        `update bulk_actions set state = 'undoing', after_id = 0, done = 0, lease_until = null
         where workspace_id = $1 and id = $2 and state = 'done' and kind <> 'delete' and created_at > $3
         returning ${columns}`,
        [workspaceId, id, since],
      )
      return rows[0] ?? null
    },

    /** Takes an action of any workspace that no living process holds. */
    async claim(_system: SystemScope, owner: string, now: Date, leaseMs: number): Promise<ActionRow | null> {
      const { rows } = await pool.query<ActionRow>(
        `update bulk_actions a set lease_owner = $1, lease_until = $3
         from (
           select workspace_id, id from bulk_actions
           where state in ('running', 'undoing') and (lease_until is null or lease_until < $2)
           order by created_at limit 1 for update skip locked
         ) as due
         where a.workspace_id = due.workspace_id and a.id = due.id
         returning ${selectListOf<ActionRow>('a', properties)}`,
        [owner, now, new Date(now.getTime() + leaseMs)],
      )
      return rows[0] ?? null
    },

    /** Does the next contacts of an action; returns how many, 0 at its end. The place is stored with the changes. */
    async run(
      { workspaceId }: Scope,
      action: ActionRow,
      selection: ContactSelection,
      { limit, now, leaseUntil }: { limit: number; now: Date; leaseUntil: Date },
    ): Promise<number> {
      const { id, kind, filter: target } = action
      const sql = selectionSql(workspaceId, selection)
      if (target.ids !== null) sql.where += ` and c.id = any(${sql.add(target.ids, 'bigint[]')})`
      const after = sql.add(action.afterId, 'bigint')
      return inTransaction(
        pool,
        async ({ client }) => {
          const { rows } = await client.query<{ id: number }>(
            `${sql.with} select c.id from contacts c where ${sql.where} and c.id > ${after} order by c.id limit ${limit} for update of c`,
            sql.values,
          )
          const ids = rows.map((row) => row.id)
          if (ids.length > 0) {
            await client.query(...changeSql(workspaceId, id, kind, target, ids, now))
            await client.query(touchSql('(select unnest($2::bigint[]) as id)'), [workspaceId, ids])
          }
          await client.query(
            `update bulk_actions set done = done + $3, after_id = $4, lease_until = $5,
             state = case when $3 < $6 then 'done' else state end
           where workspace_id = $1 and id = $2`,
            [workspaceId, id, ids.length, ids.at(-1) ?? action.afterId, leaseUntil, limit],
          )
          action.afterId = ids.at(-1) ?? action.afterId
          return ids.length < limit ? 0 : ids.length
        },
        beginEvaluation(batchTimeoutMs),
      )
    },

    /** Gives the next contacts back what they had; returns how many, 0 at the end. */
    async undo(
      { workspaceId }: Scope,
      { id }: ActionRow,
      { limit, now, leaseUntil }: { limit: number; now: Date; leaseUntil: Date },
    ): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(undoSql, [workspaceId, id, limit, now, leaseUntil])
      return rows[0]?.count ?? 0
    },

    async fail({ workspaceId }: Scope, id: number): Promise<void> {
      await pool.query(`update bulk_actions set state = 'failed' where workspace_id = $1 and id = $2`, [
        workspaceId,
        id,
      ])
    },

    /** Deletes what is kept for Undo for longer than a day, of all workspaces. */
    async prune(_system: SystemScope, before: Date): Promise<void> {
      await pool.query(
        `delete from bulk_action_changes k using bulk_actions a
         where a.workspace_id = k.workspace_id and a.id = k.action_id and a.created_at < $1`,
        [before],
      )
    },
  }
}

/** Notes the membership of a list as it was, for those that are changed. */
const noteMembership = (list: string, condition: string) => `
  insert into bulk_action_changes (workspace_id, action_id, contact_id, before)
  select $1, $2, given.id, jsonb_build_object('lists', jsonb_build_object(${list}::text,
    case when m.contact_id is null then null
      else jsonb_build_object('state', m.state, 'at', m.at, 'consent_id', m.consent_id) end))
  from unnest($3::bigint[]) as given (id)
    left join list_members m on m.workspace_id = $1 and m.list_id = ${list} and m.contact_id = given.id
  where ${condition}
  on conflict (workspace_id, action_id, contact_id) do update set
    before = jsonb_build_object('lists', bulk_action_changes.before -> 'lists' || (excluded.before -> 'lists'))`

/** Statement that changes these contacts, with what they had before for Undo. */
function changeSql(
  workspaceId: string,
  actionId: number,
  kind: ContactActionKind,
  { listId, fromListId, field }: ActionTarget,
  ids: readonly number[],
  now: Date,
): [text: string, values: unknown[]] {
  const join = `insert into list_members (workspace_id, list_id, contact_id, state, at)
    select $1, $4::bigint, given.id, 'subscribed', $5::timestamptz from unnest($3::bigint[]) as given (id) on conflict do nothing
    returning contact_id as id`
  const leave = (list: string) =>
    `delete from list_members where workspace_id = $1 and list_id = ${list} and contact_id = any($3::bigint[])
     returning contact_id as id, state`
  const joins = `joined as (${join}), noted_join as (${listEventSql('list_joined', 'joined', '$4::bigint', '$5::timestamptz')})`
  const leaves = (list: string) => `gone as (${leave(list)}),
    noted_leave as (${listEventSql('list_left', `(select id from gone where state = 'subscribed')`, list, '$5::timestamptz')})`
  switch (kind) {
    case 'add_to_list':
      return [
        `with noted as (${noteMembership('$4::bigint', 'm.contact_id is null')}), ${joins} select`,
        [workspaceId, actionId, ids, listId, now],
      ]
    case 'remove_from_list':
      return [
        `with noted as (${noteMembership('$4::bigint', 'm.contact_id is not null')}), ${leaves('$4::bigint')} select`,
        [workspaceId, actionId, ids, listId, now],
      ]
    case 'move_to_list':
      return [
        `with noted as (
           insert into bulk_action_changes (workspace_id, action_id, contact_id, before)
           select $1, $2, given.id, jsonb_build_object('lists', jsonb_object_agg(list.id::text,
             case when m.contact_id is null then null
               else jsonb_build_object('state', m.state, 'at', m.at, 'consent_id', m.consent_id) end))
           from unnest($3::bigint[]) as given (id) cross join unnest(array[$4::bigint, $6::bigint]) as list (id)
             left join list_members m on m.workspace_id = $1 and m.list_id = list.id and m.contact_id = given.id
           group by given.id
         ), ${leaves('$6::bigint')}, ${joins} select`,
        [workspaceId, actionId, ids, listId, now, fromListId],
      ]
    case 'set_field':
      return [
        `with noted as (
           insert into bulk_action_changes (workspace_id, action_id, contact_id, before)
           select $1, $2, c.id, jsonb_build_object('fields', jsonb_build_object($4::text, c.fields -> $4::text))
           from contacts c where c.workspace_id = $1 and c.id = any($3::bigint[])
             and c.fields -> $4::text is distinct from $5::jsonb
         )
         update contacts c set fields = jsonb_strip_nulls(c.fields || jsonb_build_object($4::text, $5::jsonb)), updated_at = $6
         where c.workspace_id = $1 and c.id = any($3::bigint[])`,
        [
          workspaceId,
          actionId,
          ids,
          String(field?.no),
          field?.value === null ? null : JSON.stringify(field?.value),
          now,
        ],
      ]
    case 'delete':
      return ['delete from contacts where workspace_id = $1 and id = any($2::bigint[])', [workspaceId, ids]]
  }
}

const undoSql = `
  with page as materialized (
    select contact_id, before from bulk_action_changes
    where workspace_id = $1 and action_id = $2 order by contact_id limit $3
  ), membership as materialized (
    select page.contact_id, entry.key::bigint as list_id, nullif(entry.value, 'null'::jsonb) as was
    from page cross join jsonb_each(coalesce(page.before -> 'lists', '{}')) as entry
  ), gone as (
    delete from list_members m using membership
    where m.workspace_id = $1 and m.list_id = membership.list_id and m.contact_id = membership.contact_id
      and membership.was is null
  ), returned as (
    insert into list_members (workspace_id, list_id, contact_id, state, at, consent_id)
    select $1, list_id, contact_id, was ->> 'state', (was ->> 'at')::timestamptz, (was ->> 'consent_id')::bigint
    from membership where was is not null
      and exists (select from contacts c where c.workspace_id = $1 and c.id = membership.contact_id)
    on conflict (workspace_id, list_id, contact_id) do update set
      state = excluded.state, at = excluded.at, consent_id = excluded.consent_id
  ), restored as (
    update contacts c set fields = jsonb_strip_nulls(c.fields || (page.before -> 'fields')), updated_at = $4
    from page where c.workspace_id = $1 and c.id = page.contact_id and page.before ? 'fields'
  ), touched as (${touchSql('(select contact_id as id from page)')}),
  done as (
    delete from bulk_action_changes k using page
    where k.workspace_id = $1 and k.action_id = $2 and k.contact_id = page.contact_id
  )
  update bulk_actions set done = done + (select count(*) from page), lease_until = $5,
    state = case when (select count(*) from page) < $3 then 'undone' else state end
  where workspace_id = $1 and id = $2
  returning case when (select count(*) from page) < $3 then 0 else (select count(*) from page) end::int as count`
