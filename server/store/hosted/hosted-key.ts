import { and, asc, eq, inArray, isNotNull, isNull, sql } from '../core/drizzle.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { HostedKey, HostedKeyKind, HostedKeyRow } from '../../domain/auth/hosted.ts'
import type { Database } from '../core/database.ts'
import { announceRevokedKey } from './hosted-channel.ts'
import { hostedKeys } from '../schema/hosted.ts'

/** API keys of the hosted data backend, known by their hashes. */
export function createHostedKeyStore({ orm, pool }: Pick<Database, 'orm' | 'pool'>) {
  const columns = {
    id: hostedKeys.id,
    name: hostedKeys.name,
    kind: hostedKeys.kind,
    collections: hostedKeys.collections,
  }

  return {
    /** A key that was not revoked. */
    async findByHash(keyHash: Buffer): Promise<HostedKey | null> {
      const [row] = await orm
        .select(columns)
        .from(hostedKeys)
        .where(and(eq(hostedKeys.keyHash, keyHash), isNull(hostedKeys.revokedAt)))
      return row ?? null
    },

    async create(key: {
      id: string
      name: string
      kind: HostedKeyKind
      keyHash: Buffer
      collections: string[] | null
    }): Promise<void> {
      await orm.insert(hostedKeys).values(key)
    },

    /** Revoked ones too, oldest first. */
    async list(): Promise<HostedKeyRow[]> {
      return orm
        .select({ ...columns, createdAt: hostedKeys.createdAt, revokedAt: hostedKeys.revokedAt })
        .from(hostedKeys)
        .orderBy(asc(hostedKeys.createdAt))
    },

    /** Which of some keys were revoked. */
    async listRevoked(ids: readonly string[]): Promise<string[]> {
      const rows = await orm
        .select({ id: hostedKeys.id })
        .from(hostedKeys)
        .where(and(inArray(hostedKeys.id, ids.filter(isRowId)), isNotNull(hostedKeys.revokedAt)))
      return rows.map(({ id }) => id)
    },

    /** Ends a key, and the websockets that were opened with it. False where there is none to end. */
    async revoke(id: string): Promise<boolean> {
      const revoked = await orm
        .update(hostedKeys)
        .set({ revokedAt: sql`now()` })
        .where(and(eq(hostedKeys.id, id), isNull(hostedKeys.revokedAt)))
        .returning({ id: hostedKeys.id })
      if (revoked.length === 0) return false
      await announceRevokedKey(pool, id)
      return true
    },
  }
}
