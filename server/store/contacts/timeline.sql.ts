import { timelineEventKinds } from '../../../contract/audience/contact.limits.ts'
import { eventKinds } from '../../../contract/results/event.ts'
import { timelineCampaignsMaxCount } from '../../domain/campaigns/campaign.ts'

/** Longest words of a reply that a timeline shows, in characters. */
const wordsMaxLength = 2000

/** Each is an event of the spine. What was saved on the preference page is a consent. */
const shownKinds: readonly (keyof typeof eventKinds)[] = timelineEventKinds
const ofList = `(${eventKinds.list_joined}, ${eventKinds.list_left})`
const kindSql = `case e.kind ${shownKinds.map((name) => `when ${eventKinds[name]} then '${name}'`).join(' ')} end`
/** Opens and clicks of a campaign that was deleted. */
const isOfDeletedSql = `(e.kind in (${eventKinds.opened}, ${eventKinds.clicked}) and exists (
      select from campaigns gone where gone.workspace_id = $1 and gone.id = e.source_id and gone.deleted_at is not null))`
/** Rows of one kind that the page can show. */
const pageOf = (at: string) =>
  `($3::timestamptz is null or ${at} < $3::timestamptz + interval '1 millisecond')
       order by ${at} desc limit $4::bigint + $5::bigint`

/**
 * The timeline of the contact `$2`, newest first: `$4` entries at or before `$3` (null: the newest), behind `$5` of that time. A
 * membership is listed once: as its changes where they were recorded, else as it is.
 */
export const timelineSql = `
  with contact as materialized (
    select c.id, c.created_at, c.source, c.import_id,
      array[substr(sha256(convert_to(c.email_key, 'UTF8')), 1, 16)] || c.old_address_hashes as hashes
    from contacts c where c.workspace_id = $1 and c.id = $2
  ), recent as materialized (
    select c.id, c.name, c.subject, c.started_at from campaigns c
    where c.workspace_id = $1 and c.started_at is not null and c.deleted_at is null
    order by c.started_at desc limit ${timelineCampaignsMaxCount}
  ), acts as materialized (
    select e.* from contact join events e on e.workspace_id = $1 and e.contact_id = contact.id
    where e.kind in (${shownKinds.map((name) => eventKinds[name]).join(', ')}) and not ${isOfDeletedSql}
      and ${pageOf('e.at')}
  ), taken as materialized (
    select a.* from contact join address_deliveries a on a.workspace_id = $1 and a.address_hash = any(contact.hashes)
    where ${pageOf('a.accepted_at')}
  )
  select kind, date_trunc('milliseconds', at) as at, title, detail, "objectId", verdict, reason from (
    select 'campaign' as kind, coalesce(d.settled_at, recent.started_at) as at,
      case when recent.name = '' then recent.subject else recent.name end as title,
      coalesce(d.state, 'queued') as detail, recent.id::text as "objectId", null::smallint as verdict,
      null::text as reason
    from contact cross join recent
      join campaign_recipients r on r.workspace_id = $1 and r.campaign_id = recent.id and r.address_hash = any(contact.hashes)
      left join deliveries d on d.workspace_id = $1 and d.month = r.delivery_month and d.id = r.delivery_id
    union all
    select 'message', a.accepted_at, m.subject, d.state, m.id::text, null, null
    from taken a
      join deliveries d on d.workspace_id = $1 and d.month = a.month and d.id = a.delivery_id and d.campaign_id is null
      join messages m on m.workspace_id = $1 and m.id = d.message_id and not m.is_test and m.origin <> 'account'
    union all
    select ${kindSql}, e.at, coalesce(l.name, nullif(c.name, ''), c.subject, m.subject, ''),
      case when e.kind = ${eventKinds.clicked} then coalesce(link.url, '')
        when e.kind in (${eventKinds.replied}, ${eventKinds.auto_replied}) then coalesce(left(i.excerpt, ${wordsMaxLength}), '')
        else coalesce(e.detail ->> 'words', '') end,
      coalesce(l.id::text, c.id::text), e.verdict,
      case when e.kind in (${eventKinds.bounced}, ${eventKinds.delayed}) then e.detail ->> 'reason' end
    from acts e
      left join lists l on e.kind in ${ofList} and l.workspace_id = $1 and l.id = (e.detail ->> 'list_id')::bigint
      left join campaigns c on c.workspace_id = $1 and c.id = e.source_id and c.deleted_at is null
      left join deliveries d on d.workspace_id = $1 and d.month = e.delivery_month and d.id = e.delivery_id
      left join messages m on m.workspace_id = $1 and m.id = d.message_id
      left join tracked_links link on link.workspace_id = $1 and link.message_id = d.message_id and link.no = e.link_no
      left join inbox_mails i on i.workspace_id = $1 and i.id = (e.detail ->> 'inbox_mail_id')::bigint
    union all
    select 'consent', s.at, s.kind, s.text, null, null, null from contact join consents s on s.workspace_id = $1
      and (s.contact_id = contact.id or s.import_id = contact.import_id)
    union all
    select 'membership', m.at, l.name, m.state, l.id::text, null, null from contact
      join list_members m on m.workspace_id = $1 and m.contact_id = contact.id
      join lists l on l.workspace_id = $1 and l.id = m.list_id
    where not exists (
      select from events e where e.workspace_id = $1 and e.contact_id = contact.id and e.kind in ${ofList}
        and e.detail ->> 'list_id' = l.id::text
    )
    union all
    select 'created', contact.created_at, contact.source, '', null, null, null from contact
  ) as entry
  where $3::timestamptz is null or date_trunc('milliseconds', at) <= $3
  order by 2 desc, kind, "objectId", title, detail offset $5 limit $4`
