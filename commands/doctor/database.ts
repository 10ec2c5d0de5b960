import type { Pool } from 'pg'
import { KeyRingError, readKeyRing } from '../../server/store/vault/key-ring.ts'
import { isPreviewDatabase, listApplied, listMigrations, previewSentence } from '../../server/store/core/migrate.ts'
import { readQueueDepth } from '../../server/store/statistics/queue-depth.ts'
import { countParked } from '../../server/store/events/parked.ts'
import { openVault } from '../../server/store/vault/vault-keys.ts'
import { warn, fail, ok, type Finding } from './finding.ts'
import { authorizeAll } from '../../server/domain/auth/authorize.ts'

const oldestVersion = 150_000
const skewWarnMs = 2000
const skewFailMs = 60_000

/** The database: its version, its schema, and whether the key file matches. */
export async function checkDatabase(pool: Pool, keyFile: string): Promise<Finding[]> {
  const { rows } = await pool.query<{ number: string; name: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
  )
  const [version] = rows
  if (Number(version?.number) < oldestVersion) {
    return [fail('database', `PostgreSQL ${version?.name ?? ''} is too old: use 15 or newer.`)]
  }
  const reached = ok('database', `PostgreSQL ${version?.name ?? ''} answers.`)
  if (await isPreviewDatabase(pool)) return [reached, fail('schema', previewSentence)]
  const pending = await countPending(pool)
  if (pending === null) return [reached, warn('schema', 'The database is empty: the first start creates its tables.')]
  if (pending < 0) {
    return [
      reached,
      fail('schema', 'A newer Sendwright has changed the database: start that version, or restore a backup.'),
    ]
  }
  if (pending > 0) return [reached, warn('schema', `${pending} migrations are pending: the next start applies them.`)]
  return [
    reached,
    ok('schema', 'The tables are up to date.'),
    await checkVault(pool, keyFile),
    ...(await checkQueue(pool)),
    ...(await checkEvents(pool)),
  ]
}

/** Compares the clock of this machine with the database's: retries, quotas and sessions depend on both. */
export async function checkClock(pool: Pool, nowMs: () => number): Promise<Finding> {
  const beforeMs = nowMs()
  const { rows } = await pool.query<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms')
  const afterMs = nowMs()
  return assessClock((rows[0]?.ms ?? 0) - (beforeMs + afterMs) / 2)
}

/** The consequence of a difference of the database's clock. */
export function assessClock(aheadMs: number): Finding {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const sentence = `This machine’s clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database’s`
  if (Math.abs(aheadMs) >= skewFailMs) return fail('clock', `${sentence}: set both by NTP (timedatectl set-ntp true).`)
  if (Math.abs(aheadMs) >= skewWarnMs) return warn('clock', `${sentence}; let NTP set both.`)
  return ok('clock', 'This machine and the database agree on the time.')
}

/** The number of missing migrations; null without any table, negative with later ones. */
async function countPending(pool: Pool): Promise<number | null> {
  const applied = await listApplied(pool)
  return applied && (await listMigrations()).length - applied.length
}

async function checkVault(pool: Pool, keyFile: string): Promise<Finding> {
  try {
    const { rows } = await pool.query('select from vault_keys limit 1')
    if (rows.length === 0) return warn('secrets', 'No secrets are encrypted yet.')
    if ((await readKeyRing(keyFile)) === null) {
      return fail(
        'secrets',
        `${keyFile} is missing, and secrets are sealed with it: restore it, or set SECRET_KEY_FILE.`,
      )
    }
    await openVault(pool, keyFile)
    return ok('secrets', 'The key file matches this database.')
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error
    return fail('secrets', error.message)
  }
}

/** Events that were set aside. */
export async function checkEvents(pool: Pool): Promise<Finding[]> {
  const count = await countParked(authorizeAll({ kind: 'operator', command: 'doctor' }), pool)
  if (count === 0) return []
  return [
    warn(
      'events',
      `${count} events could not be counted and were set aside; the log has the reason. After a correction: npm run events:repeat.`,
    ),
  ]
}

async function checkQueue(pool: Pool): Promise<Finding[]> {
  const { states, mailboxes, dueCount, oldestDueSeconds, frozenCount } = await readQueueDepth(
    authorizeAll({ kind: 'operator', command: 'doctor' }),
    pool,
  )
  const waiting = states.queued + states.deferred
  const findings = [ok('queue', `${waiting} mails wait, ${dueCount} of them could go now.`)]
  if (frozenCount > 0) {
    findings.push(
      warn(
        'queue',
        `${frozenCount} mails of a restore are frozen: npm run queue:release, with -- --cancel to cancel them.`,
      ),
    )
  }
  if (oldestDueSeconds > 300) {
    findings.push(
      warn(
        'queue',
        `The oldest has been due for ${Math.round(oldestDueSeconds / 60)} min: check that a server or a worker runs.`,
      ),
    )
  }
  if (mailboxes.paused > 0) {
    findings.push(warn('mailboxes', `${mailboxes.paused} are paused; the Email Config screen shows the reasons.`))
  }
  return findings
}
