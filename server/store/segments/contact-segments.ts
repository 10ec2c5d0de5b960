import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { inTransaction, type Database } from '../core/database.ts'
import type { WorkspaceRules } from './rule-context.ts'
import { rulesToFactsSql } from './touched.sql.ts'

/** Longest statement, ms. */
const timeoutMs = 10_000
/** Rules that one statement evaluates: each may have a hundred conditions, and a statement has 65,535 parameters at most. */
const stepCount = 100

export type ContactSegmentStore = ReturnType<typeof createContactSegmentStore>

/** Evaluates rules for one contact. */
export function createContactSegmentStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** Whether each rule matches the contact, in the order of the rules; null without such a contact. */
    async match(
      { workspaceId }: Scope,
      contactId: string,
      rules: readonly SegmentRule[],
      { context, timezone }: WorkspaceRules,
    ): Promise<boolean[] | null> {
      const matches: boolean[] = []
      for (let start = 0; start === 0 || start < rules.length; start += stepCount) {
        const values: unknown[] = [workspaceId, timezone]
        const add = (value: unknown, type: string) => `$${values.push(value)}::${type}`
        const contact = `select c.* from contacts c where c.workspace_id = $1 and c.id = ${add(contactId, 'bigint')}`
        const sql = rulesToFactsSql(rules.slice(start, start + stepCount), context, add, contact)
        const { rows } = await inTransaction(
          pool,
          ({ client }) =>
            client.query<{ matches: boolean[] }>(
              `with ${sql.with} select array[${sql.conditions.join(', ')}]::boolean[] as matches
               from facts c where $2::text is not null`,
              values,
            ),
          `begin; set local statement_timeout = ${timeoutMs}`,
        )
        const [row] = rows
        if (row === undefined) return null
        matches.push(...row.matches)
      }
      return matches
    },
  }
}
