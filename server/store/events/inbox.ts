import { eventKinds } from '../../../contract/results/event.ts'
import type { Scope, SystemScope } from '../../domain/auth/scope.ts'
import type { Hit, JournalPosition, NewEvent, UserAgent } from '../../domain/events/new-event.ts'
import { bytesArray, plainArray } from '../core/array-literal.ts'
import type { Queryable } from '../core/database.ts'

/** Writes events for the digest, in the transaction of what caused them. */
export async function writeEvents(
  { workspaceId }: Scope,
  events: readonly NewEvent[],
  executor: Queryable,
): Promise<void> {
  if (events.length === 0) return
  await executor.query({
    name: 'write-events',
    text: `insert into event_inbox (workspace_id, at, kind, message_id, delivery_month, delivery_id, contact_id, flags, detail)
       select $1, e.* from unnest($2::timestamptz[], $3::smallint[], $4::uuid[], $5::date[], $6::bigint[], $7::bigint[],
         $8::smallint[], $9::jsonb[]) as e`,
    values: [
      workspaceId,
      events.map(({ at }) => at),
      events.map(({ kind }) => eventKinds[kind]),
      events.map(({ messageId }) => messageId ?? null),
      events.map(({ deliveryMonth }) => deliveryMonth ?? null),
      events.map(({ deliveryId }) => deliveryId ?? null),
      events.map(({ contactId }) => contactId ?? null),
      events.map(({ flags }) => flags ?? 0),
      events.map(({ detail }) => (detail ? JSON.stringify(detail) : null)),
    ],
  })
}

/**
 * Writes hits of all workspaces together with the position behind them in their journal, in one statement. Returns false, and
 * writes nothing, where the journal has reached that position already: a batch whose answer was lost can be repeated.
 * `agents`: those of the hits that this process has not written yet.
 */
export async function writeHits(
  _system: SystemScope,
  { hits, agents, position }: { hits: readonly Hit[]; agents: readonly UserAgent[]; position: JournalPosition },
  executor: Queryable,
): Promise<boolean> {
  const { rows } = await executor.query<{ isNew: boolean }>({
    name: 'write-hits',
    text: `with moved as (
        insert into event_journals as j (writer, segment, byte_offset) values ($1, $2, $3)
        on conflict (writer) do update set segment = excluded.segment, byte_offset = excluded.byte_offset
        where (j.segment, j.byte_offset) < (excluded.segment, excluded.byte_offset)
        returning writer
      ), agents as (
        -- A conflict would use up a number of the identity column for every hit.
        insert into user_agents (hash, text, family, os, verdict)
        select a.* from unnest($4::bytea[], $5::text[], $6::text[], $7::text[], $8::smallint[]) as a (hash, text, family, os, verdict)
        where not exists (select from user_agents u where u.hash = a.hash)
        on conflict (hash) do nothing
      ), written as (
        insert into event_inbox (workspace_id, at, kind, message_id, delivery_month, delivery_id, link_no, agent_hash, net_hash,
          net_label, flags)
        select h.* from unnest($9::uuid[], $10::timestamptz[], $11::smallint[], $12::uuid[], $13::date[], $14::bigint[],
          $15::smallint[], $16::bytea[], $17::bytea[], $18::smallint[], $19::smallint[]) as h
        where exists (select from moved)
      )
      select exists (select from moved) as "isNew"`,
    values: [
      position.writer,
      position.segment,
      position.byteOffset,
      agents.map(({ hash }) => hash),
      agents.map(({ text }) => text),
      agents.map(({ family }) => family),
      agents.map(({ os }) => os),
      agents.map(({ verdict }) => verdict),
      plainArray(hits.map(({ workspaceId }) => workspaceId)),
      plainArray(hits.map(({ at }) => at.toISOString())),
      plainArray(hits.map(({ kind }) => eventKinds[kind])),
      plainArray(hits.map(({ messageId }) => messageId)),
      plainArray(hits.map(({ deliveryMonth }) => deliveryMonth)),
      plainArray(hits.map(({ deliveryId }) => deliveryId)),
      plainArray(hits.map(({ linkNo }) => linkNo)),
      bytesArray(hits.map(({ agentHash }) => agentHash)),
      bytesArray(hits.map(({ netHash }) => netHash)),
      plainArray(hits.map(({ netLabel }) => netLabel)),
      plainArray(hits.map(({ flags }) => flags)),
    ],
  })
  return rows[0]?.isNew ?? false
}

/** How far a journal is in the inbox; null for a new one. */
export async function readJournalPosition(
  _system: SystemScope,
  writer: string,
  executor: Queryable,
): Promise<JournalPosition | null> {
  const { rows } = await executor.query<JournalPosition>(
    'select writer, segment, byte_offset as "byteOffset" from event_journals where writer = $1',
    [writer],
  )
  return rows[0] ?? null
}
