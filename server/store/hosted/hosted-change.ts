import type { Pool } from 'pg'
import type { Change, ChangeKind, DocumentData } from '../../domain/auth/hosted.ts'

/** The changes after a number; `gap` if some of them are no longer stored. */
export type ChangesSince = { status: 'read'; changes: Change[] } | { status: 'gap'; lastId: number }

/** Limits of one read: the first change is always returned, more while both limits hold. */
export interface ReadLimit {
  count: number
  octets: number
}

interface Row {
  lastId: number
  id: number | null
  kind: ChangeKind
  documentId: string
  data: DocumentData
  createdAt: Date
  updatedAt: Date
}

const keptHours = 24
const keptCount = 10_000
const keptOctets = 64 * 1024 * 1024
/** Any number that no other program on the same database locks. */
const lockId = 7_369_023

// One statement, so that counter and changes use one snapshot.
const readSql = `
  select coalesce((select last_change from hosted_collections where name = $1), 0) as "lastId",
    id, kind, document_id as "documentId", data, created_at as "createdAt", updated_at as "updatedAt"
  from (select) as always left join (
    select * from (
      select *, sum(octets) over (order by id) - octets as octets_before
      from (select * from hosted_changes where collection = $1 and id > $2 order by id limit $3) as next
    ) as measured where octets_before < $4
  ) as fitting on true
  order by id`

export type HostedChangeStore = ReturnType<typeof createHostedChangeStore>

/** Changes of documents, written by triggers. */
export function createHostedChangeStore(pool: Pool) {
  return {
    /** Number of a collection's last change; 0 before the first. */
    async lastId(collection: string): Promise<number> {
      const { rows } = await pool.query<{ lastId: number }>(
        'select last_change as "lastId" from hosted_collections where name = $1',
        [collection],
      )
      return rows[0]?.lastId ?? 0
    },

    /** The changes after a number, in commit order. */
    async read(collection: string, afterId: number, limit: ReadLimit): Promise<ChangesSince> {
      const { rows } = await pool.query<Row>(readSql, [collection, afterId, limit.count, limit.octets])
      const changes = rows.flatMap((row) => (row.id === null ? [] : [toChange({ ...row, id: row.id })]))
      const lastId = rows[0]?.lastId ?? 0
      // Numbers have no gaps: a missing one is no longer stored, or belongs to another database.
      const isWhole = changes.every(({ id }, at) => id === afterId + 1 + at)
      const isEnd = changes.length > 0 || lastId === afterId
      return isWhole && isEnd ? { status: 'read', changes } : { status: 'gap', lastId }
    },

    /**
     * Deletes changes older than a day and, of each collection, all but the last 10,000 and 64 MiB; expired tokens. To be
     * called periodically by every process.
     */
    async prune(): Promise<void> {
      await pool.query(
        `with turn as materialized (select pg_try_advisory_xact_lock($1) as is_ours),
        ranked as (
          select collection, id, at, row_number() over newest as nth, sum(octets) over newest as octets_since
          from hosted_changes window newest as (partition by collection order by id desc)
        )
        delete from hosted_changes as old using ranked, turn
        where turn.is_ours and old.collection = ranked.collection and old.id = ranked.id
          and (ranked.nth > $2 or ranked.octets_since > $3 or ranked.at < now() - make_interval(hours => $4))`,
        [lockId, keptCount, keptOctets, keptHours],
      )
      await pool.query('delete from hosted_tokens where expires_at <= now()')
    },
  }
}

function toChange({ id, kind, documentId, data, createdAt, updatedAt }: Row & { id: number }): Change {
  return kind === 'deleted'
    ? { id, kind, document: { id: documentId } }
    : { id, kind, document: { id: documentId, data, createdAt, updatedAt } }
}
