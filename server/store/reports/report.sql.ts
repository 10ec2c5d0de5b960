import { eventKinds, verdicts, type EventName } from '../../../contract/results/event.ts'

const kind = (name: EventName): string => String(eventKinds[name])
const human = String(verdicts.human)

/** People of a figure of the campaign in the row of `campaigns`, in a statement whose `$1` is the workspace. */
export const peopleSql = (name: EventName): string => `(
  select coalesce(sum(counted.people), 0) from source_counts counted
  where counted.workspace_id = $1 and counted.source_id = campaigns.id and counted.kind = ${kind(name)} and counted.verdict = ${human})`

/** `tracking` of the messages of a campaign: the widest mode of them. */
export const trackingSql = `
  select case when bool_or(tracking = 'identified') then 'identified' when bool_or(tracking = 'counts') then 'counts'
    else 'off' end as tracking
  from messages where workspace_id = $1 and campaign_id = $2`

/** Sums of `source_counts` for one source, by kind and verdict. */
export const totalsSql = `
  select kind, verdict, sum(n)::bigint as events, sum(people)::bigint as people
  from source_counts where workspace_id = $1 and source_id = $2 group by 1, 2`

/** The reason of a bounced mail in the row `e` of `engagements`. */
export const bounceReasonSql = `coalesce(e.bounce_reason, 'undefined')`

export const bouncesSql = `
  select ${bounceReasonSql} as reason, count(*)::bigint as people,
    count(*) filter (where d.state = 'sent')::bigint as later
  from engagements e
    left join deliveries d on d.workspace_id = e.workspace_id and d.month = e.delivery_month and d.id = e.delivery_id
  where e.workspace_id = $1 and e.source_id = $2 and e.bounced_at is not null
  group by 1 order by 2 desc, 1`

const hourKinds: readonly EventName[] = ['opened', 'clicked', 'replied', 'auto_replied', 'unsubscribed']

const inHour = (name: EventName, condition: string): string =>
  `coalesce(sum(people) filter (where kind = ${kind(name)} and verdict ${condition} ${human}), 0)::bigint`

export const hoursSql = `
  select date_bin('1 hour', quarter_at, 'epoch') as at,
    ${inHour('opened', '=')} as opened, ${inHour('opened', '<>')} as "machineOpens",
    ${inHour('clicked', '=')} as clicked, ${inHour('clicked', '<>')} as "machineClicks",
    ${inHour('replied', '=')} as replied, ${inHour('auto_replied', '=')} as "autoReplies",
    ${inHour('unsubscribed', '=')} as unsubscribed
  from event_counts
  where workspace_id = $1 and source_id = $2
    and kind in (${hourKinds.map(kind).join(', ')})
  group by 1 order by 1 limit $3`

const ofKind = (name: EventName): string =>
  `coalesce(sum(b.people) filter (where b.kind = ${kind(name)}), 0)::bigint as ${name}`

const sharedSql = (['sent', 'opened', 'clicked', 'bounced', 'unsubscribed'] as const).map(ofKind).join(', ')

/** The domains with most mails, and one row for the others. */
export const domainsSql = `
  with listed as (
    select value as domain, ${sharedSql} from breakdown_counts b
    where workspace_id = $1 and source_id = $2 and dimension = 'domain' group by value
  ), ranked as (
    select *, row_number() over (order by greatest(sent, bounced) desc, domain) as place from listed
  )
  select case when place <= $3 then domain end as domain, count(*)::bigint as domains,
    sum(sent)::bigint as sent, sum(opened)::bigint as opened, sum(clicked)::bigint as clicked,
    sum(bounced)::bigint as bounced, sum(unsubscribed)::bigint as unsubscribed
  from ranked group by least(place, $3 + 1), case when place <= $3 then domain end
  order by least(place, $3 + 1)`

export const mailboxesSql = `
  select m.config_id as "configId", m.from_address as "emailAddress", ${sharedSql}
  from messages m
    left join breakdown_counts b on b.workspace_id = m.workspace_id and b.source_id = $2 and b.dimension = 'mailbox'
      and b.value = m.config_id::text
  where m.workspace_id = $1 and m.campaign_id = $2 and not m.is_test
  group by m.config_id, m.from_address order by m.from_address`

export const linksSql = `
  with listed as (
    select distinct on (l.no) l.no, l.url, l.label
    from messages m join tracked_links l on l.workspace_id = m.workspace_id and l.message_id = m.id
    where m.workspace_id = $1 and m.campaign_id = $2 order by l.no, l.message_id
  )
  select listed.no, listed.url, listed.label,
    coalesce(sum(c.people) filter (where c.verdict = ${human}), 0)::bigint as people,
    coalesce(sum(c.clicks) filter (where c.verdict = ${human}), 0)::bigint as clicks,
    coalesce(sum(c.people) filter (where c.verdict <> ${human}), 0)::bigint as machines
  from listed left join link_counts c on c.workspace_id = $1 and c.source_id = $2 and c.link_no = listed.no
  group by listed.no, listed.url, listed.label order by listed.no`

/** Figures of several campaigns of one workspace. */
export const statsSql = `
  select m.campaign_id as id, max(m.tracking) as tracking,
    (select coalesce(jsonb_object_agg(counted.kind || case when counted.is_human then '' else 'm' end, counted.people), '{}')
     from (
       select kind, verdict = ${human} as is_human, sum(people) as people from source_counts c
       where c.workspace_id = $1 and c.source_id = m.campaign_id group by 1, 2
     ) counted) as people
  from (
    select campaign_id, case when bool_or(tracking = 'identified') then 'identified'
      when bool_or(tracking = 'counts') then 'counts' else 'off' end as tracking
    from messages where workspace_id = $1 and campaign_id = any($2::uuid[]) group by campaign_id
  ) m group by m.campaign_id`
