import type { Pool } from 'pg'

/** A notification to every process: a collection changed, or a key was revoked. */
export type HostedSignal = { collection: string } | { revokedKeyId: string }

/** Name of the channel; the triggers of `hosted_documents` notify it with the collection's name. */
export const hostedChannel = 'sendwright_hosted'

/** Names of collections contain no slash. */
const keyPrefix = 'key/'

/** Parses a notification. */
export function readSignal(payload: string): HostedSignal {
  return payload.startsWith(keyPrefix) ? { revokedKeyId: payload.slice(keyPrefix.length) } : { collection: payload }
}

/** Notifies every process that a key was revoked. */
export async function announceRevokedKey(pool: Pick<Pool, 'query'>, id: string): Promise<void> {
  await pool.query('select pg_notify($1, $2)', [hostedChannel, keyPrefix + id])
}
