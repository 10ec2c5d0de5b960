import type { Pool } from 'pg'

/** What is announced to every process: a collection that has changed, or a key that was revoked. */
export type HostedSignal = { collection: string } | { revokedKeyId: string }

/** Name of the channel; the triggers of `hosted_documents` notify it with the collection's name. */
export const hostedChannel = 'sendwright_hosted'

/** No collection's name holds a slash. */
const keyPrefix = 'key/'

/** Reads what was announced. */
export function readSignal(payload: string): HostedSignal {
  return payload.startsWith(keyPrefix) ? { revokedKeyId: payload.slice(keyPrefix.length) } : { collection: payload }
}

/** Tells every process that a key was revoked. */
export async function announceRevokedKey(pool: Pick<Pool, 'query'>, id: string): Promise<void> {
  await pool.query('select pg_notify($1, $2)', [hostedChannel, keyPrefix + id])
}
