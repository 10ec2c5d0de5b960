import { erasedRecipient, isErasedSql } from '../suppressions/erased-address.sql.ts'

/** A time in ms since 1970, with its microseconds. `extract` would return a decimal number, with slower arithmetic. */
export const epochMs = (time: string): string => `round(date_part('epoch', ${time}) * 1e6) / 1e3`

/**
 * Takes the oldest rows of a workspace out of the inbox, with what the database knows of their mails. $2: most rows; $3: only
 * these, null for any. The lateral joins and the array keep the planner from reading whole tables.
 */
export const takeSql = `
  with taken as (
    -- An array, or a long queue would be read as a whole for each batch.
    delete from event_inbox
    where workspace_id = $1 and id = any(array(
      select id from event_inbox
      where workspace_id = $1 and parked_error is null and ($3::bigint[] is null or id = any($3::bigint[]))
      order by id limit $2
    ))
    returning *
  ), mail as materialized (
    select t.id as seq, d.* from taken t cross join lateral (
      select d.id, d.message_id, d.campaign_id, d.config_id, d.contact_id, d.state, d.settled_at, d.recipient
      from deliveries d where d.workspace_id = $1 and d.month = t.delivery_month and d.id = t.delivery_id limit 1
    ) d
  ), known as materialized (
    select c.id from contacts c where c.workspace_id = $1 and c.id = any(array(select distinct contact_id from mail))
  )
  select t.id as seq, ${epochMs('t.at')} as at, t.kind, t.message_id as "messageId",
    t.delivery_month::text as "deliveryMonth", t.delivery_id as "deliveryId", t.delivery_ids as "deliveryIds",
    t.link_no as "linkNo", encode(t.agent_hash, 'hex') as "agentHash", encode(t.net_hash, 'hex') as net,
    t.net_label as "netLabel", t.flags, t.detail,
    m.id is not null as "hasMessage", m.is_test or m.origin in ('test', 'account') as "isUncounted",
    coalesce(d.campaign_id, m.campaign_id) as "campaignId", coalesce(d.config_id, m.config_id) as "mailboxId",
    d.id is not null and d.recipient <> '${erasedRecipient}' and not (
      d.contact_id is not null and known.id is null and ${isErasedSql('$1', 'lower(d.recipient)')}
    ) as "hasDelivery", d.state, lower(d.recipient) as email,
    ${epochMs('d.settled_at')} as "acceptedAt",
    case when t.contact_id is not null
        then (select c.id from contacts c where c.workspace_id = $1 and c.id = t.contact_id)
      when d.contact_id is not null then known.id
      else (select c.id from contacts c where c.workspace_id = $1 and c.email_key = lower(d.recipient))
    end as "contactId"
  from taken t
    left join mail d on d.seq = t.id
    left join known on known.id = d.contact_id
    left join lateral (
      select m.* from messages m where m.workspace_id = $1 and m.id = coalesce(d.message_id, t.message_id) limit 1
    ) m on true
  order by t.id`

/** Puts rows behind the later ones. */
export const requeueSql = `
  insert into event_inbox (workspace_id, at, kind, message_id, delivery_month, delivery_id, link_no, agent_hash, net_hash,
    net_label, flags, detail)
  select $1, to_timestamp(e.at / 1000), e.kind, e.message_id, e.delivery_month, e.delivery_id, e.link_no,
    decode(e.agent_hash, 'hex'), decode(e.net_hash, 'hex'), e.net_label, e.flags, e.detail
  from unnest($2::float8[], $3::smallint[], $4::uuid[], $5::date[], $6::bigint[], $7::smallint[], $8::text[], $9::text[],
    $10::smallint[], $11::smallint[], $12::jsonb[])
    as e (at, kind, message_id, delivery_month, delivery_id, link_no, agent_hash, net_hash, net_label, flags, detail)`

const engagementColumns = `e.source_id as "sourceId", e.delivery_id as "deliveryId", e.delivery_month::text as "deliveryMonth",
    e.contact_id as "contactId", e.variant_no as "variantNo", e.open_verdict as "openVerdict",
    e.click_verdict as "clickVerdict", e.opens, e.clicks, e.bounce_reason as "bounceReason"`
const engagementTimes = [
  ['first_open_at', 'firstOpenAt'],
  ['first_machine_open_at', 'firstMachineOpenAt'],
  ['first_click_at', 'firstClickAt'],
  ['first_machine_click_at', 'firstMachineClickAt'],
  ['replied_at', 'repliedAt'],
  ['auto_replied_at', 'autoRepliedAt'],
  ['bounced_at', 'bouncedAt'],
  ['complained_at', 'complainedAt'],
  ['unsubscribed_at', 'unsubscribedAt'],
] as const

/** What became of mails so far. $2, $3: sources and deliveries. */
export const engagementsSql = `
  select ${engagementColumns},
    ${engagementTimes.map(([column, name]) => `${epochMs(`e.${column}`)} as "${name}"`).join(', ')}
  from unnest($2::uuid[], $3::bigint[]) as k (source_id, delivery_id)
    cross join lateral (
      select e.* from engagements e
      where e.workspace_id = $1 and e.source_id = k.source_id and e.delivery_id = k.delivery_id limit 1
    ) e`

export const linkClicksSql = `
  select e.source_id as "sourceId", e.link_no as "linkNo", e.delivery_id as "deliveryId", e.contact_id as "contactId",
    e.verdict, e.clicks, ${epochMs('e.first_at')} as "firstAt",
    ${epochMs('e.first_machine_at')} as "firstMachineAt"
  from unnest($2::uuid[], $3::bigint[], $4::smallint[]) as k (source_id, delivery_id, link_no)
    cross join lateral (
      select e.* from link_clicks e
      where e.workspace_id = $1 and e.source_id = k.source_id and e.link_no = k.link_no and e.delivery_id = k.delivery_id
      limit 1
    ) e`

/** Hits of the last minute on the deliveries in $2, with their verdicts. $3: beginning of the minute, ms. */
export const recentHitsSql = `
  select r.delivery_id as "deliveryId", r.seq, ${epochMs('r.at')} as at, r.link_no as "linkNo",
    r.agent_id as "agentId", encode(r.net_hash, 'hex') as net, r.net_label as "netLabel", e.verdict
  from unnest($2::bigint[]) as k (delivery_id)
    cross join lateral (
      select r.* from recent_hits r
      where r.workspace_id = $1 and r.delivery_id = k.delivery_id and r.at >= to_timestamp($3::float8 / 1000)
    ) r
    join events e on e.workspace_id = $1 and e.at = r.at and e.seq = r.seq
  order by r.seq`

/** All opens and clicks of mails. $2–$4: deliveries with their contacts and months. */
export const hitsOfSql = `
  select e.delivery_id as "deliveryId", e.seq, ${epochMs('e.at')} as at, e.link_no as "linkNo",
    e.agent_id as "agentId", e.net_label as "netLabel", e.verdict, e.detail
  from unnest($2::bigint[], $3::bigint[], $4::date[]) as k (delivery_id, contact_id, month)
    cross join lateral (
      select e.* from events e
      where e.workspace_id = $1 and e.contact_id = k.contact_id and e.delivery_id = k.delivery_id and e.kind in (1, 2)
        and e.at >= k.month
      union all
      select e.* from events e
      where e.workspace_id = $1 and e.contact_id is null and e.delivery_id = k.delivery_id and e.kind in (1, 2)
        and e.at >= k.month
    ) e
  order by e.seq`

export const insertEventsSql = `
  insert into events (workspace_id, at, seq, kind, verdict, source_id, delivery_month, delivery_id, contact_id, link_no,
    agent_id, net_label, detail)
  select $1, to_timestamp(e.at / 1000), e.seq, e.kind, e.verdict, e.source_id, e.delivery_month, e.delivery_id, e.contact_id,
    e.link_no, e.agent_id, e.net_label, e.detail
  from unnest($2::float8[], $3::bigint[], $4::smallint[], $5::smallint[], $6::uuid[], $7::date[], $8::bigint[], $9::bigint[],
    $10::smallint[], $11::int[], $12::smallint[], $13::jsonb[])
    as e (at, seq, kind, verdict, source_id, delivery_month, delivery_id, contact_id, link_no, agent_id, net_label, detail)`

export const insertRecentSql = `
  insert into recent_hits (workspace_id, delivery_id, seq, at, link_no, agent_id, net_hash, net_label)
  select $1, e.delivery_id, e.seq, to_timestamp(e.at / 1000), e.link_no, e.agent_id, decode(e.net, 'hex'), e.net_label
  from unnest($2::bigint[], $3::bigint[], $4::float8[], $5::smallint[], $6::int[], $7::text[], $8::smallint[])
    as e (delivery_id, seq, at, link_no, agent_id, net, net_label)`

export const reviseEventsSql = `
  update events e set verdict = k.verdict
  from unnest($2::float8[], $3::bigint[], $4::smallint[]) as k (at, seq, verdict)
  where e.workspace_id = $1 and e.at = to_timestamp(k.at / 1000) and e.seq = k.seq`

const time = (column: string) => `to_timestamp(e.${column} / 1000)`

/** The columns of engagements that opens and clicks change. */
const hitColumns = [
  ['open_verdict', 'smallint'],
  ['click_verdict', 'smallint'],
  ['opens', 'int'],
  ['clicks', 'int'],
  ['first_open_at', 'float8'],
  ['first_machine_open_at', 'float8'],
  ['first_click_at', 'float8'],
  ['first_machine_click_at', 'float8'],
] as const
const answerColumns = [
  ['replied_at', 'float8'],
  ['auto_replied_at', 'float8'],
  ['bounced_at', 'float8'],
  ['complained_at', 'float8'],
  ['unsubscribed_at', 'float8'],
  ['bounce_reason', 'text'],
] as const

function engagementsUpsert(columns: readonly (readonly [name: string, type: string])[]): string {
  const names = columns.map(([name]) => name).join(', ')
  return `
  insert into engagements (workspace_id, source_id, delivery_id, delivery_month, contact_id, variant_no, ${names})
  select $1, e.source_id, e.delivery_id, e.delivery_month, e.contact_id, e.variant_no,
    ${columns.map(([name, type]) => (type === 'float8' ? time(name) : `e.${name}`)).join(', ')}
  from unnest($2::uuid[], $3::bigint[], $4::date[], $5::bigint[], $6::smallint[],
      ${columns.map(([, type], index) => `$${index + 7}::${type}[]`).join(', ')})
    as e (source_id, delivery_id, delivery_month, contact_id, variant_no, ${names})
  on conflict (workspace_id, source_id, delivery_id) do update set
    ${columns.map(([name]) => `${name} = excluded.${name}`).join(', ')}`
}

export const writeEngagementsSql = engagementsUpsert([...hitColumns, ...answerColumns])

/** For batches of opens and clicks only. */
export const writeHitEngagementsSql = engagementsUpsert(hitColumns)

export const writeLinkClicksSql = `
  insert into link_clicks (workspace_id, source_id, link_no, delivery_id, contact_id, verdict, clicks, first_at, first_machine_at)
  select $1, e.source_id, e.link_no, e.delivery_id, e.contact_id, e.verdict, e.clicks, ${time('first_at')},
    ${time('first_machine_at')}
  from unnest($2::uuid[], $3::smallint[], $4::bigint[], $5::bigint[], $6::smallint[], $7::int[], $8::float8[], $9::float8[])
    as e (source_id, link_no, delivery_id, contact_id, verdict, clicks, first_at, first_machine_at)
  on conflict (workspace_id, source_id, link_no, delivery_id) do update set
    verdict = excluded.verdict, clicks = excluded.clicks, first_at = excluded.first_at,
    first_machine_at = excluded.first_machine_at`

export const writeSourceCountsSql = `
  insert into source_counts as old (workspace_id, source_id, variant_no, kind, verdict, n, people)
  select $1, e.* from unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::smallint[], $6::bigint[], $7::bigint[]) as e
  on conflict (workspace_id, source_id, variant_no, kind, verdict)
  do update set n = old.n + excluded.n, people = old.people + excluded.people`

export const writeEventCountsSql = `
  insert into event_counts as old (workspace_id, source_id, variant_no, quarter_at, kind, verdict, n, people)
  select $1, e.source_id, e.variant_no, to_timestamp(e.quarter / 1000), e.kind, e.verdict, e.n, e.people
  from unnest($2::uuid[], $3::smallint[], $4::float8[], $5::smallint[], $6::smallint[], $7::bigint[], $8::bigint[])
    as e (source_id, variant_no, quarter, kind, verdict, n, people)
  on conflict (workspace_id, source_id, variant_no, quarter_at, kind, verdict)
  do update set n = old.n + excluded.n, people = old.people + excluded.people`

export const writeBreakdownSql = `
  insert into breakdown_counts as old (workspace_id, source_id, dimension, value, kind, people)
  select $1, e.* from unnest($2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::bigint[]) as e
  on conflict (workspace_id, source_id, dimension, value, kind) do update set people = old.people + excluded.people`

export const writeLinkCountsSql = `
  insert into link_counts as old (workspace_id, source_id, link_no, verdict, clicks, people)
  select $1, e.* from unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::bigint[], $6::bigint[]) as e
  on conflict (workspace_id, source_id, link_no, verdict)
  do update set clicks = old.clicks + excluded.clicks, people = old.people + excluded.people`
