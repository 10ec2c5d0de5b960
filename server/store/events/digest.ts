import { eventFlags, eventKinds } from '../../../contract/results/event.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { LeaseLost } from '../../domain/events/lease-lost.ts'
import type { Classifier } from '../../domain/events/hit.ts'
import { inTransaction, type Database, type Queryable } from '../core/database.ts'
import { AgentCache } from './agents.ts'
import type { Consumer } from './consumers/consumer.ts'
import { judgeEvents } from './digest-hits.ts'
import { leaseSeconds, type DigestLease } from './digest-lease.ts'
import { requeueSql, takeSql } from './digest.sql.ts'
import { writeDigest } from './digest-write.ts'
import { Figures, isHit } from './fold.ts'
import { announceFigures } from './figures-channel.ts'
import { digestSettled } from './settled.ts'
import type { DigestedEvent, TakenEvent } from './taken.ts'

/** What became of the rows of a batch. */
export interface DigestOutcome {
  takenCount: number
  /** Put behind later rows: the mail server's answer to their mail is not recorded yet. */
  waitingCount: number
  /** Of mails that do not exist any more, and hits of deleted campaigns. */
  unknownCount: number
}

/** Longest wait for the record of the mail server's answer. */
const unsettledMs = 60_000
const unsettledStates = new Set(['queued', 'sending', 'deferred'])
const hourMs = 3_600_000

export type DigestStore = ReturnType<typeof createDigestStore>

/** Moves events out of the inbox into everything that is derived from them. */
export function createDigestStore(
  { pool }: Pick<Database, 'pool'>,
  { classifier, consumers }: { classifier: Classifier; consumers: readonly Consumer[] },
) {
  const agents = new AgentCache()
  // The commit need not wait for the disk: a batch that a power failure takes back is in the inbox again, as its rows leave it
  // in the same transaction, and later commits reach the disk after this one.
  // A process that is paused within its transaction is cut off when its lease ends, so that another can take over.
  const begin = `begin; set local idle_in_transaction_session_timeout = '${leaseSeconds}s'; set local synchronous_commit = off`

  return {
    /**
     * Digests the oldest events of a workspace in one transaction: all of them are in events, engagements, counts, contacts and
     * consumers, or none. `ids`: only these rows. Throws LeaseLost.
     */
    async digest(
      scope: Scope,
      lease: DigestLease,
      limit: number,
      ids: readonly number[] | null,
    ): Promise<DigestOutcome> {
      return inTransaction(
        pool,
        async ({ client }) => {
          const now = await renew(client, scope.workspaceId, lease)
          const { rows: taken } = await client.query<TakenEvent>({
            name: 'take-events',
            text: takeSql,
            values: [scope.workspaceId, limit, ids],
          })
          const settled = taken.flatMap(({ kind, deliveryMonth, deliveryIds }) =>
            kind === eventKinds.settled && deliveryMonth !== null
              ? [{ deliveryMonth, deliveryIds: deliveryIds ?? [] }]
              : [],
          )
          if (settled.length > 0) await digestSettled(scope, settled, client)
          const { ready, waiting, unknownCount } = sortOut(
            taken,
            await listDeleted(client, scope.workspaceId, taken),
            now,
          )
          if (waiting.length > 0) await requeue(client, scope.workspaceId, waiting)
          if (ready.length > 0) {
            await agents.load(
              ready.map(({ agentHash }) => agentHash),
              [],
              client,
            )
            const figures = new Figures()
            const judged = await judgeEvents(ready, figures, {
              client,
              workspaceId: scope.workspaceId,
              classifier,
              agents,
              now,
            })
            await writeDigest(judged, figures, {
              client,
              workspaceId: scope.workspaceId,
              classifier,
              agents,
              consumers,
              now,
            })
          }
          if (taken.length > waiting.length) await announceFigures(scope, client)
          return { takenCount: taken.length, waitingCount: waiting.length, unknownCount }
        },
        begin,
      )
    },

    /** The oldest rows that wait, for digesting them one by one. */
    async listOldest({ workspaceId }: Scope, limit: number): Promise<number[]> {
      const { rows } = await pool.query<{ id: number }>(
        'select id from event_inbox where workspace_id = $1 and parked_error is null order by id limit $2',
        [workspaceId, limit],
      )
      return rows.map(({ id }) => id)
    },

    /** Sets a row aside that cannot be digested. */
    async park({ workspaceId }: Scope, id: number, error: string): Promise<void> {
      await pool.query('update event_inbox set parked_error = $3 where workspace_id = $1 and id = $2', [
        workspaceId,
        id,
        error.slice(0, 500),
      ])
    },
  }

  /** Renews the lease and locks it, so that no other process takes it before the batch ends. Returns the database's time, ms. */
  async function renew(client: Queryable, workspaceId: string, { token }: DigestLease): Promise<number> {
    const { rows } = await client.query<{ now: number }>({
      name: 'renew-digest-lease',
      text: `update digest_leases set lease_until = now() + interval '${leaseSeconds} seconds'
         where workspace_id = $1 and token = $2
         returning (extract(epoch from now()) * 1000)::float8 as now`,
      values: [workspaceId, token],
    })
    const [row] = rows
    if (row === undefined) throw new LeaseLost('Another process digests this workspace')
    return row.now
  }
}

/** Campaigns that were deleted, of those whose mails were opened or clicked. */
async function listDeleted(
  client: Queryable,
  workspaceId: string,
  taken: readonly TakenEvent[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(taken.filter(isHit).flatMap(({ campaignId }) => campaignId ?? []))
  if (ids.size === 0) return ids
  const { rows } = await client.query<{ id: string }>({
    name: 'deleted-campaigns',
    text: 'select id from campaigns where workspace_id = $1 and id = any($2::uuid[]) and deleted_at is not null',
    values: [workspaceId, [...ids]],
  })
  return new Set(rows.map(({ id }) => id))
}

/** Which rows are digested now, and which wait for their mail. Hits of deleted campaigns are dropped; `deleted`: their ids. */
function sortOut(taken: readonly TakenEvent[], deleted: ReadonlySet<string>, now: number) {
  const ready: DigestedEvent[] = []
  const waiting: TakenEvent[] = []
  let unknownCount = 0
  const monthAgo = firstOfLastMonth(now)
  for (const row of taken) {
    if (row.kind === eventKinds.settled) continue
    const ofMail = row.messageId !== null || row.deliveryId !== null
    const isGone = ofMail && (!row.hasMessage || (row.deliveryId !== null && !row.hasDelivery))
    const age = now - row.at
    const isOfDeleted = isHit(row) && row.campaignId !== null && deleted.has(row.campaignId)
    if (isGone || isOfDeleted || row.isUncounted === true) unknownCount += 1
    else if (isHit(row) && unsettledStates.has(row.state ?? '') && age < unsettledMs && age > -unsettledMs)
      waiting.push(row)
    else {
      // There are months for events since the first of last month; times ahead are from a wrong clock.
      const at = Math.max(monthAgo, Math.min(row.at, now + hourMs))
      ready.push({ ...row, at, sourceId: row.campaignId ?? row.mailboxId, verdict: null, agentId: null })
    }
  }
  return { ready, waiting, unknownCount }
}

function firstOfLastMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)
}

async function requeue(client: Queryable, workspaceId: string, rows: readonly TakenEvent[]): Promise<void> {
  const column = <T>(read: (row: TakenEvent) => T) => rows.map(read)
  await client.query({
    name: 'requeue-events',
    text: requeueSql,
    values: [
      workspaceId,
      column(({ at }) => at),
      column(({ kind }) => kind),
      column(({ messageId }) => messageId),
      column(({ deliveryMonth }) => deliveryMonth),
      column(({ deliveryId }) => deliveryId),
      column(({ linkNo }) => linkNo),
      column(({ agentHash }) => agentHash),
      column(({ net }) => net),
      column(({ netLabel }) => netLabel),
      column(({ flags }) => flags | eventFlags.waited),
      column(({ detail }) => (detail === null ? null : JSON.stringify(detail))),
    ],
  })
}
