import type { Queryable } from '../core/database.ts'

/** What became of it: `taken` where somebody has made another account with the address since. */
export type Reopened = 'reopened' | 'taken' | 'unknown'

/**
 * Gives a closed account back to who had this address, if it was closed within so many days: its password, its workspace,
 * templates and records. What closing erased stays erased: app passwords, secret keys, sign-ins, links to Google.
 */
export async function reopenAccount(pool: Queryable, address: string, keptDays: number): Promise<Reopened> {
  const email = address.trim().toLowerCase()
  const { rowCount } = await pool.query(
    `update users set email = closed_email, closed_email = null, closed_at = null
     where id = (
         select id from users where closed_email = $1 and closed_at > now() - make_interval(days => $2)
         order by closed_at desc limit 1
       ) and not exists (select from users other where other.email = $1)`,
    [email, keptDays],
  )
  if (rowCount === 1) return 'reopened'
  const { rows } = await pool.query('select from users where email = $1', [email])
  return rows.length > 0 ? 'taken' : 'unknown'
}
