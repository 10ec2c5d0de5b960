import type { ContactSort, ContactStatus } from '../../../contract/audience/contact.ts'
import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { ContactCursor } from '../../domain/contacts/contact.ts'
import { foldCase, type RuleContext } from '../../domain/segments/rule-context.ts'
import { ruleToSql } from '../segments/segment.sql.ts'

/** What narrows the contacts of a workspace. */
export interface ContactSelection {
  search: string | null
  listId: string | null
  status: ContactStatus | null
  /** Rule, with the time zone of the workspace and what it refers to; null without one. */
  rule: { rule: SegmentRule; context: RuleContext; timezone: string } | null
}

export interface SelectionSql {
  /** `with …` or empty. */
  with: string
  /** Condition on `contacts c`, the workspace included. */
  where: string
  /** Each alternative of the search, as a condition on `contacts c`; empty without a search. */
  searches: readonly string[]
  /** The conditions beside the search. */
  others: string
  /** Column with the state on the list of the selection, after a comma; empty without a list. */
  listState: string
  values: unknown[]
  /** Adds a parameter; gives its place. */
  add: (value: unknown, type: string) => string
}

const sortColumn: Record<ContactSort, { sql: string; type: string; order: 'asc' | 'desc' }> = {
  newest: { sql: 'c.id', type: 'bigint', order: 'desc' },
  email: { sql: 'c.email_key', type: 'text', order: 'asc' },
  last_activity: {
    sql: `coalesce(greatest(c.last_reply_at, c.last_click_at, c.last_open_at, c.last_sent_at), '-infinity')`,
    type: 'timestamptz',
    order: 'desc',
  },
}

/** SQL of a selection; `$1` is the workspace. `compile`: gives the condition of the rule on `c`. */
export function selectionSql(
  workspaceId: string,
  { search, listId, status, rule }: ContactSelection,
  compile: typeof ruleToSql = ruleToSql,
): SelectionSql {
  const ruled = rule ? compile(rule.rule, rule.context, { workspaceId, timezone: rule.timezone }) : null
  const values: unknown[] = ruled?.values ?? [workspaceId]
  const add = (value: unknown, type: string) => `$${values.push(value)}::${type}`
  const conditions = ['c.workspace_id = $1']
  if (ruled) conditions.push('$2::text is not null', ruled.where)
  if (status !== null) conditions.push(`c.status = ${add(status, 'text')}`)
  let listState = ''
  if (listId !== null) {
    const membership = `from list_members m where m.workspace_id = $1 and m.list_id = ${add(listId, 'bigint')}
      and m.contact_id = c.id`
    conditions.push(`exists (select ${membership})`)
    listState = `, (select m.state ${membership}) as "listState"`
  }
  const others = conditions.join(' and ')
  const searches = search === null || search.trim() === '' ? [] : searchesSql(search, add)
  if (searches.length > 0) conditions.push(`(${searches.join(' or ')})`)
  return {
    with: ruled === null || ruled.with === '' ? '' : `with ${ruled.with}`,
    where: conditions.join(' and '),
    searches,
    others,
    listState,
    values,
    add,
  }
}

/** `@` and the beginning of a domain, or the beginning of an address, a first or a last name: a condition for each index. */
function searchesSql(search: string, add: SelectionSql['add']): string[] {
  const text = foldCase(search.trim())
  if (text.startsWith('@')) return [`split_part(c.email_key, '@', 2) like ${add(prefixPattern(text.slice(1)), 'text')}`]
  const address = `c.email_key like ${add(prefixPattern(text.toLowerCase()), 'text')}`
  if (text.includes('@')) return [address]
  const name = add(prefixPattern(text), 'text')
  return [address, ...['first', 'last'].map((key) => `c.${key}_name_key like ${name}`)]
}

/** Order of a list, and the condition for the rows after a cursor. */
export function sortSql(sort: ContactSort, after: ContactCursor | null, add: SelectionSql['add']) {
  const { sql, type, order } = sortColumn[sort]
  const operator = order === 'asc' ? '>' : '<'
  return {
    orderBy: sort === 'newest' ? `${sql} ${order}` : `${sql} ${order}, c.id ${order}`,
    cursorColumn: `(${sql})::text`,
    isAfter:
      after === null
        ? 'true'
        : sort === 'newest'
          ? `${sql} ${operator} ${add(after.id, type)}`
          : `(${sql}, c.id) ${operator} (${add(after.value, type)}, ${add(after.id, 'bigint')})`,
  }
}

const prefixPattern = (text: string): string => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
