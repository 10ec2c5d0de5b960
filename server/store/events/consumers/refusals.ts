import { eventKinds } from '../../../../contract/results/event.ts'
import { mailboxSentences } from '../../../../contract/mail/mailbox-sentences.ts'
import { addressHashSql } from './address-hash.sql.ts'
import type { Consumer } from './consumer.ts'

const refusalCount = 5
const refusalDomainCount = 3

/**
 * Five refusals of the mailbox itself, by three domains within an hour, pause it until its owner acts. The events of the batch
 * are in `events` already.
 */
export const mailboxPauses: Consumer = {
  name: 'mailbox-pauses',
  kinds: new Set([eventKinds.sender_refused]),
  columns: ['config_id'],
  statement: `, refused as (
      select d.config_id, count(*) as n, count(distinct split_part(lower(d.recipient), '@', 2)) as domains
      from events e
        cross join lateral (
          select d.config_id, d.recipient from deliveries d
          where d.workspace_id = $1 and d.month = e.delivery_month and d.id = e.delivery_id limit 1
        ) d
      where e.workspace_id = $1 and e.kind = ${eventKinds.sender_refused} and e.at > now() - interval '1 hour'
        and d.config_id in (select config_id from batch)
      group by d.config_id
    )
    update email_configs c
    set status = 'paused', pause_reason = '${mailboxSentences.senderRefused.replaceAll("'", "''")}', paused_until = null
    from refused r
    where c.workspace_id = $1 and c.id = r.config_id and c.deleted_at is null
      and (c.status <> 'paused' or c.paused_until is not null)
      and r.n >= ${refusalCount} and r.domains >= ${refusalDomainCount}`,
}

const softBounceCount = 5

/**
 * Bounces that may end are counted by address; five in a row over at least seven days suppress it. A reason that no report
 * named alone never suppresses. An act of the person ends the row.
 */
export const addressHealth: Consumer = {
  name: 'address-health',
  kinds: new Set([eventKinds.bounced]),
  columns: ['at', 'email', 'detail', 'new_id'],
  statement: `, soft as (
      select ${addressHashSql('email')} as hash, email, count(*)::int as n, min(at) as first_at, max(at) as last_at,
        (array_agg(coalesce(detail ->> 'reason', 'undefined') order by at desc))[1] as reason,
        (array_agg(detail ->> 'words' order by at desc))[1] as words, (array_agg(new_id))[1] as new_id
      from batch where email is not null and detail ->> 'action' = 'waiting'
      group by email order by email
    ), noted as (
      insert into address_health as h (workspace_id, address_hash, soft_bounces, first_bounce_at, last_bounce_at, last_reason)
      select $1, hash, n, first_at, last_at, reason from soft
      on conflict (workspace_id, address_hash) do update set
        soft_bounces = case when h.last_bounce_at < excluded.first_bounce_at - interval '72 hours' and exists (
            select from address_deliveries a
            where a.workspace_id = $1 and a.address_hash = h.address_hash and a.accepted_at > h.last_bounce_at
              and a.accepted_at < excluded.first_bounce_at - interval '72 hours'
          ) then excluded.soft_bounces else h.soft_bounces + excluded.soft_bounces end,
        first_bounce_at = case when h.last_bounce_at < excluded.first_bounce_at - interval '72 hours' and exists (
            select from address_deliveries a
            where a.workspace_id = $1 and a.address_hash = h.address_hash and a.accepted_at > h.last_bounce_at
              and a.accepted_at < excluded.first_bounce_at - interval '72 hours'
          ) then excluded.first_bounce_at else h.first_bounce_at end,
        last_bounce_at = greatest(h.last_bounce_at, excluded.last_bounce_at), last_reason = excluded.last_reason
      returning address_hash, soft_bounces, first_bounce_at, last_bounce_at
    )
    insert into suppressions (workspace_id, id, email, reason, detail)
    select $1, soft.new_id, soft.email, 'bounced', soft.words
    from noted join soft on soft.hash = noted.address_hash
    where noted.soft_bounces >= ${softBounceCount} and noted.last_bounce_at - noted.first_bounce_at >= interval '7 days'
      and soft.reason <> 'undefined'
    on conflict do nothing`,
}

/** An address whose person opens, clicks or replies is in use: its bounces no longer count. */
export const addressRecovery: Consumer = {
  name: 'address-recovery',
  kinds: new Set([eventKinds.opened, eventKinds.clicked, eventKinds.replied]),
  isOfPeople: true,
  columns: ['at', 'email'],
  // The addresses are hashed only where the workspace has such rows at all.
  statement: `delete from address_health h using batch b
    where h.workspace_id = $1 and h.address_hash = ${addressHashSql('b.email')} and b.at > h.last_bounce_at
      and exists (select from address_health any_row where any_row.workspace_id = $1)`,
}
