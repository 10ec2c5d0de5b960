import { isRowId } from '../../domain/core/id.ts'
import type { HostedKey, HostedKeyKind, HostedKeyRow } from '../../domain/auth/hosted.ts'
import type { Database } from '../core/database.ts'
import { announceRevokedKey } from './hosted-channel.ts'

const columns = 'id, name, kind, collections'

export type HostedKeyStore = ReturnType<typeof createHostedKeyStore>

/** API keys of the hosted data backend, identified by their hashes. */
export function createHostedKeyStore({ pool }: Pick<Database, 'pool'>) {
  return {
    /** A key that was not revoked. */
    async findByHash(keyHash: Buffer): Promise<HostedKey | null> {
      const { rows } = await pool.query<HostedKey>({
        name: 'find-hosted-key',
        text: `select ${columns} from hosted_keys where key_hash = $1 and revoked_at is null`,
        values: [keyHash],
      })
      return rows[0] ?? null
    },

    async create(key: {
      id: string
      name: string
      kind: HostedKeyKind
      keyHash: Buffer
      collections: string[] | null
    }): Promise<void> {
      await pool.query('insert into hosted_keys (id, name, kind, key_hash, collections) values ($1, $2, $3, $4, $5)', [
        key.id,
        key.name,
        key.kind,
        key.keyHash,
        key.collections,
      ])
    },

    /** All keys, revoked ones too, oldest first. */
    async list(): Promise<HostedKeyRow[]> {
      const { rows } = await pool.query<HostedKeyRow>(
        `select ${columns}, created_at as "createdAt", revoked_at as "revokedAt" from hosted_keys order by created_at`,
      )
      return rows
    },

    /** The keys in `ids` that were revoked. */
    async listRevoked(ids: readonly string[]): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>(
        'select id from hosted_keys where id = any($1) and revoked_at is not null',
        [ids.filter(isRowId)],
      )
      return rows.map(({ id }) => id)
    },

    /** Revokes a key and closes the websockets that were opened with it. False where no such key is valid. */
    async revoke(id: string): Promise<boolean> {
      const { rowCount } = await pool.query(
        'update hosted_keys set revoked_at = now() where id = $1 and revoked_at is null',
        [id],
      )
      if (rowCount === 0) return false
      await announceRevokedKey(pool, id)
      return true
    },
  }
}
