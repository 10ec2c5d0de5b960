import type { Pool, PoolClient } from 'pg'
import type { SeedResult, Seed } from '../../domain/auth/hosted.ts'
import { inTransaction } from '../core/database.ts'

interface KnownSeed {
  id: string
  version: string
  dataHash: Buffer
}

/** Any number that no other program on the same database locks. */
const lockId = 7_369_024
const hashOf = (data: string) => `sha256(convert_to(${data}::text, 'UTF8'))`
/** Hash of no data: marks a document of the operator, which is never changed. */
const foreign = Buffer.alloc(0)

export type HostedSeedStore = ReturnType<typeof createHostedSeedStore>

/**
 * Documents of the release: seeded once, updated while the operator has not changed them, not seeded again after
 * deletion.
 */
export function createHostedSeedStore(pool: Pool) {
  return {
    /** Brings a collection's seeds up to date in one transaction. One query if nothing has changed. */
    async apply(collection: string, seeds: readonly Seed[]): Promise<SeedResult> {
      const none = { createdCount: 0, updatedCount: 0 }
      if (stale(seeds, await listKnown(pool, collection)).length === 0) return none
      return inTransaction(pool, async ({ client }) => {
        await client.query('select pg_advisory_xact_lock($1)', [lockId])
        const known = await listKnown(client, collection)
        const wanted = stale(seeds, known)
        const times = await client.query<{ now: Date }>('select now()')
        const nowMs = times.rows[0]?.now.getTime() ?? 0
        // Locks all rows before the first change, in one order, to prevent deadlocks.
        const { rows } = await client.query<{ id: string; dataHash: Buffer }>(
          `select id, ${hashOf('data')} as "dataHash" from hosted_documents
           where collection = $1 and id = any($2) order by id for update`,
          [collection, wanted.map(({ id }) => id)],
        )
        const hashes = new Map(rows.map(({ id, dataHash }) => [id, dataHash]))
        const seeded = { ...none }
        // Each 1 ms later than the one before, so that they are listed in the order of the release.
        for (const [position, seed] of wanted.entries()) {
          const before = known.get(seed.id)
          const now = hashes.get(seed.id)
          if (before === undefined) {
            if (await insert(client, collection, seed, new Date(nowMs + position))) seeded.createdCount++
          } else if (now?.equals(before.dataHash) === true) {
            await update(client, collection, seed)
            seeded.updatedCount++
          } else await note(client, collection, seed, before.dataHash)
        }
        return seeded
      })
    },
  }
}

function stale(seeds: readonly Seed[], known: ReadonlyMap<string, KnownSeed>): Seed[] {
  return seeds.filter(({ id, version }) => known.get(id)?.version !== version)
}

async function listKnown(client: Pick<Pool, 'query'>, collection: string): Promise<Map<string, KnownSeed>> {
  const { rows } = await client.query<KnownSeed>(
    'select id, version, data_hash as "dataHash" from hosted_seeds where collection = $1',
    [collection],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** False if a document with this id exists: it belongs to the operator and is kept. */
async function insert(client: PoolClient, collection: string, seed: Seed, at: Date): Promise<boolean> {
  const { rows } = await client.query<{ dataHash: Buffer }>(
    `insert into hosted_documents (collection, id, data, created_at, updated_at)
     values ($1, $2, $3, $4, $4)
     on conflict do nothing returning ${hashOf('data')} as "dataHash"`,
    [collection, seed.id, JSON.stringify(seed.data), at],
  )
  await note(client, collection, seed, rows[0]?.dataHash ?? foreign)
  return rows[0] !== undefined
}

async function update(client: PoolClient, collection: string, seed: Seed): Promise<void> {
  const { rows } = await client.query<{ dataHash: Buffer }>(
    `update hosted_documents set data = $3, updated_at = now() where collection = $1 and id = $2
     returning ${hashOf('data')} as "dataHash"`,
    [collection, seed.id, JSON.stringify(seed.data)],
  )
  await note(client, collection, seed, rows[0]?.dataHash ?? foreign)
}

async function note(client: PoolClient, collection: string, { id, version }: Seed, dataHash: Buffer): Promise<void> {
  await client.query(
    `insert into hosted_seeds (collection, id, version, data_hash) values ($1, $2, $3, $4)
     on conflict (collection, id) do update set version = excluded.version, data_hash = excluded.data_hash`,
    [collection, id, version, dataHash],
  )
}
