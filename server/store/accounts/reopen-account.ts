import { closedAccountKeptDays } from '../../../contract/account/account.limits.ts'
import type { Queryable } from '../core/database.ts'

/** `taken`: another account with the address was created in the meantime. */
export type Reopened = 'reopened' | 'taken' | 'unknown'

/**
 * Reopens the account that had this address and was closed within the retention period, with its password, workspace,
 * templates and records. Erased data stays erased: app passwords, secret keys, sessions, links to Google.
 */
export async function reopenAccount(pool: Queryable, address: string): Promise<Reopened> {
  const email = address.trim().toLowerCase()
  const { rowCount } = await pool.query(
    `update users set email = closed_email, closed_email = null, closed_at = null
     where id = (
         select id from users where closed_email = $1 and closed_at > now() - make_interval(days => $2)
         order by closed_at desc limit 1
       ) and not exists (select from users other where other.email = $1)`,
    [email, closedAccountKeptDays],
  )
  if (rowCount === 1) return 'reopened'
  const { rows } = await pool.query('select from users where email = $1', [email])
  return rows.length > 0 ? 'taken' : 'unknown'
}
