import type { Scope } from '../../domain/auth/scope.ts'
import type { NewEvent } from '../../domain/events/new-event.ts'
import { bounceOfReply } from '../../domain/events/smtp-bounce.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'
import type { Queryable } from '../core/database.ts'
import { erasedRecipient } from '../suppressions/erased-address.sql.ts'
import { addressHashSql } from './consumers/address-hash.sql.ts'
import { writeEvents } from './inbox.ts'

interface RefusedRow {
  month: string
  id: number
  at: Date
  reply: string
}

/**
 * Counts the mails of settled batches that a mail server took, each once, and writes a bounce for each that it refused for good.
 */
export async function digestSettled(
  scope: Scope,
  batches: readonly { deliveryMonth: string; deliveryIds: readonly number[] }[],
  executor: Queryable,
): Promise<void> {
  const { rows } = await executor.query<RefusedRow>({
    name: 'digest-settled',
    text: settledSql,
    values: [
      scope.workspaceId,
      batches.flatMap(({ deliveryMonth, deliveryIds }) => deliveryIds.map(() => deliveryMonth)),
      batches.flatMap(({ deliveryIds }) => deliveryIds),
    ],
  })
  const bounces = rows.map(({ month, id, at, reply }): NewEvent => {
    const detail = { ...bounceOfReply(reply), is_smtp: true }
    return { kind: 'bounced', at, deliveryMonth: month, deliveryId: id, detail }
  })
  await writeEvents(scope, bounces, executor)
}

const settledSql = `
  with given as materialized (
    select distinct month, id from unnest($2::date[], $3::bigint[]) as g (month, id)
  ), found as materialized (
    select d.month, d.id, d.message_id, d.config_id, coalesce(d.campaign_id, d.config_id) as source_id, d.contact_id, d.state, d.settled_at,
      d.reply, lower(d.recipient) as email
    from given g
      cross join lateral (
        select d.* from deliveries d where d.workspace_id = $1 and d.month = g.month and d.id = g.id limit 1
      ) d
    where d.state in ('sent', 'failed') and d.recipient <> '${erasedRecipient}'
  ), message as materialized (
    select asked.id from (select distinct message_id as id from found) as asked cross join lateral (
      select from messages m where m.workspace_id = $1 and m.id = asked.id
        and not m.is_test and m.origin not in ('test', 'account') limit 1
    ) as m
  ), mail as materialized (
    select found.* from found join message on message.id = found.message_id
  ), accepted as (
    insert into address_deliveries (workspace_id, address_hash, month, delivery_id, config_id, accepted_at)
    select $1, ${addressHashSql('email')}, month, id, config_id, settled_at
    from mail where state = 'sent'
    on conflict do nothing
    returning delivery_id
  ), sent as materialized (
    select mail.*, coalesce(
      (select c.id from contacts c where c.workspace_id = $1 and c.id = mail.contact_id),
      case when mail.contact_id is null
        then (select c.id from contacts c where c.workspace_id = $1 and c.email_key = mail.email) end
    ) as known_id
    from mail join accepted on accepted.delivery_id = mail.id
  ), people as materialized (
    select known_id as id, max(settled_at) as at, count(*)::int as n from sent where known_id is not null group by known_id
  ), locked as materialized (
    select c.id from people p join contacts c on c.workspace_id = $1 and c.id = p.id order by c.id for no key update of c
  ), counted as (
    update contacts c set last_sent_at = greatest(c.last_sent_at, p.at), sent_count = c.sent_count + p.n
    from people p join locked on locked.id = p.id where c.workspace_id = $1 and c.id = p.id
  ), touched as (${touchSql('people')}),
  totals as (
    insert into source_counts as old (workspace_id, source_id, variant_no, kind, verdict, n, people)
    select $1, source_id, 0, 18, 1, count(*), count(*) from sent group by source_id order by source_id
    on conflict (workspace_id, source_id, variant_no, kind, verdict)
    do update set n = old.n + excluded.n, people = old.people + excluded.people
  ), quarters as (
    insert into event_counts as old (workspace_id, source_id, variant_no, quarter_at, kind, verdict, n, people)
    select $1, source_id, 0, date_bin('15 minutes', settled_at, '2000-01-01 00:00:00+00'), 18, 1, count(*), count(*)
    from sent group by 2, 4 order by 2, 4
    on conflict (workspace_id, source_id, variant_no, quarter_at, kind, verdict)
    do update set n = old.n + excluded.n, people = old.people + excluded.people
  ), breakdown as (
    insert into breakdown_counts as old (workspace_id, source_id, dimension, value, kind, people)
    select $1, source_id, part.dimension, part.value, 18, count(*)
    from sent cross join lateral (
      values ('domain', split_part(email, '@', 2)), ('mailbox', config_id::text)
    ) as part (dimension, value)
    group by 2, 3, 4 order by 2, 3, 4
    on conflict (workspace_id, source_id, dimension, value, kind) do update set people = old.people + excluded.people
  )
  select mail.month::text, mail.id, mail.settled_at as at, mail.reply from mail
  where mail.state = 'failed' and mail.reply ~ '^5'
    and not exists (
      select from engagements e
      where e.workspace_id = $1 and e.source_id = mail.source_id and e.delivery_id = mail.id and e.bounced_at is not null
    )
  order by mail.id`
