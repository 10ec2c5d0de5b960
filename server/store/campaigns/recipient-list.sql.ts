import { verdicts } from '../../../contract/results/event.ts'
import type { RecipientAct } from '../../../contract/mail/campaign-recipient.ts'
import { bounceReasonSql } from '../reports/report.sql.ts'
import { touchSql } from '../contacts/contact-touch.sql.ts'

const human = String(verdicts.human)

/** Columns of a listed recipient: delivery `d`, its mailbox and its row `e` of `engagements`. */
const rowSql = `d.id, d.recipient, d.state, d.attempts, d.reply, d.next_attempt_at as "nextAttemptAt",
  d.settled_at as "settledAt", m.config_id as "mailboxId", m.from_address as mailbox,
  case when e.open_verdict = ${human} then e.first_open_at end as "openedAt",
  case when e.click_verdict = ${human} then e.first_click_at end as "clickedAt",
  e.replied_at as "repliedAt", e.bounced_at as "bouncedAt"`

/** Acts that are read from `engagements`, in the order of the deliveries. */
const engagedSql: Partial<Record<RecipientAct, string>> = {
  opened: `e.open_verdict = ${human}`,
  opened_by_machines: `e.open_verdict <> ${human}`,
  clicked: `e.click_verdict = ${human}`,
  clicked_by_machines: `e.click_verdict <> ${human}`,
  replied: 'e.replied_at is not null',
  bounced: 'e.bounced_at is not null',
  complained: 'e.complained_at is not null',
  unsubscribed: 'e.unsubscribed_at is not null',
}

/** Acts of which most mails of a campaign have one: read from the deliveries. */
const ledgerSql: Partial<Record<RecipientAct, string>> = {
  sent: `d.state = 'sent'`,
  delivered: `d.state = 'sent' and e.bounced_at is null`,
  not_opened: `d.state = 'sent' and e.bounced_at is null and e.open_verdict is distinct from ${human}
    and e.click_verdict is distinct from ${human} and e.replied_at is null`,
}

const matchesSql = `($3::text is null or d.state = $3) and ($4::text is null or strpos(lower(d.recipient), $4) > 0)
  and ($5::text is null or split_part(lower(d.recipient), '@', 2) = $5)
  and ($6::uuid is null or d.config_id = $6) and ($7::bigint is null or d.id = $7)
  and ($8::smallint is null or exists (
    select from link_clicks l
    where l.workspace_id = $1 and l.source_id = $2 and l.link_no = $8 and l.delivery_id = d.id and l.verdict = ${human}
  )) and ($9::text is null or (e.bounced_at is not null and ${bounceReasonSql} = $9))`

/**
 * Rows of the campaign `$2` after the delivery `$10`, at most `$11` of each message; see `filterValues`. `inOrder`: for a query
 * that reads the first of them by id, and must not join the others.
 */
function fromSql(act: RecipientAct | null, { inOrder = false } = {}): string {
  const engaged = act === null ? undefined : engagedSql[act]
  if (engaged !== undefined) {
    const own = `d.workspace_id = $1 and d.month = e.delivery_month and d.id = e.delivery_id and d.campaign_id = $2`
    const delivery = inOrder
      ? `cross join lateral (select d.* from deliveries d where ${own} offset 0) d`
      : `join deliveries d on ${own}`
    return `from engagements e ${delivery}
      join messages m on m.workspace_id = $1 and m.id = d.message_id
      where e.workspace_id = $1 and e.source_id = $2 and ${engaged} and e.delivery_id > $10 and $11::int > 0
        and ${matchesSql}`
  }
  const condition = (act === null ? undefined : ledgerSql[act]) ?? 'true'
  const ownEngagement = 'e.workspace_id = $1 and e.source_id = $2 and e.delivery_id = d.id'
  return `from messages m cross join lateral (
      select d.* from deliveries d
        left join ${
          inOrder
            ? `lateral (select e.* from engagements e where ${ownEngagement} offset 0) e on true`
            : `engagements e on ${ownEngagement}`
        }
      where d.workspace_id = $1 and d.message_id = m.id and d.campaign_id = $2 and d.id > $10
        and ${condition} and ${matchesSql}
      order by d.id limit $11
    ) d left join engagements e on ${ownEngagement}
    where m.workspace_id = $1 and m.campaign_id = $2`
}

/** By id, as the index of the rows that are read first has it. */
const orderSql = (act: RecipientAct | null): string =>
  act !== null && engagedSql[act] !== undefined ? 'e.delivery_id' : 'd.id'

/** A page: `$11` rows after the first `$12`. */
export const pageSql = (act: RecipientAct | null): string =>
  `select ${rowSql} ${fromSql(act, { inOrder: true })} order by ${orderSql(act)} limit $11 offset $12`

/** Addresses and values of `$11` rows. */
export const linesSql = (act: RecipientAct | null): string =>
  `select d.id, d.recipient as email, d.context ${fromSql(act, { inOrder: true })} order by ${orderSql(act)} limit $11`

/** One row, by its id. */
export const oneSql = `select ${rowSql}, d.message_id as "ofMessageId", d.contact_id as "contactId" ${fromSql(null)} limit 1`

/** The number of rows. */
export const countSql = (act: RecipientAct | null): string => `select count(*) as count ${fromSql(act)}`

/** The contacts of the rows become members of the new list `$12`. */
export const joinListSql = (act: RecipientAct | null): string => `
  with joined as (
    insert into list_members (workspace_id, list_id, contact_id, state, at)
    select distinct on (c.id) $1::uuid, $12::bigint, c.id, 'subscribed', $13::timestamptz
    from (select d.contact_id ${fromSql(act)}) chosen join contacts c on c.workspace_id = $1 and c.id = chosen.contact_id
    on conflict do nothing returning contact_id as id
  ), touched as (${touchSql('joined')})
  select count(*)::int as count from joined`
