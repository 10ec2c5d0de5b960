import type { MessageOrigin } from '../../../contract/results/tracking-mode.ts'
import type { NewMessage } from '../../domain/messages/message.ts'
import { linkBaseSql } from '../tracking/campaign-tracking.sql.ts'
import { erasedHashSql, erasedRecipient } from '../suppressions/erased-address.sql.ts'

/** A message to insert, with its sealed context if it has one. */
export interface AcceptedMessage extends NewMessage {
  workspaceId: string
  sealedContext: Buffer | null
}

/** Parameters of `acceptSql`: one list for each column, and one with the recipients of all messages. */
export function acceptValues(messages: readonly AcceptedMessage[]): unknown[] {
  const column = <T>(read: (message: AcceptedMessage) => T) => messages.map(read)
  return [
    column(({ id }) => id),
    column(({ workspaceId }) => workspaceId),
    column(({ mailboxId }) => mailboxId),
    column(({ fromAddress }) => fromAddress),
    column(({ subject }) => subject),
    column(({ content }) => content),
    column(({ isHtml }) => isHtml),
    column(({ sealedContext, context }) => (sealedContext === null ? JSON.stringify(context) : '{}')),
    column(({ sealedContext }) => sealedContext),
    column(({ extraHeaders }) => (extraHeaders ? JSON.stringify(extraHeaders) : null)),
    column(({ campaignId }) => campaignId ?? null),
    column(({ mailboxVersion }) => mailboxVersion ?? null),
    column(({ isTest = false }) => isTest),
    column(({ options }) => (options === undefined ? null : JSON.stringify(options))),
    column(({ isTest = false, campaignId, origin = 'api' }) => originOf(isTest, campaignId, origin)),
    messages.flatMap(({ id, recipients }) => recipients.map(() => id)),
    messages.flatMap(({ recipients }) => recipients),
    messages.flatMap(({ recipients, obeysSuppressions = false }) =>
      recipients.map((address) => (obeysSuppressions ? address.toLowerCase() : null)),
    ),
  ]
}

function originOf(isTest: boolean, campaignId: string | undefined, origin: MessageOrigin): MessageOrigin {
  if (isTest) return 'test'
  return campaignId === undefined ? origin : 'campaign'
}

/** The partition of a delivery that leaves at an instant. */
export const monthSql = (instant: string) => `date_trunc('month', ${instant} at time zone 'utc')::date`
/** The partition that new deliveries go into. */
export const monthNowSql = monthSql('now()')

/** A list of texts in the options of a message. */
const textsSql = (name: string) =>
  `case when options->'${name}' is null then '{}'
    else array(select jsonb_array_elements_text(options->'${name}')) end`

/**
 * Inserts messages and one delivery for each recipient; returns the ids of the inserted messages with their number of
 * suppressed recipients, erased ones included. Skips messages that exist, and those whose mailbox was deleted or changed. Locks the
 * mailboxes' rows in place of foreign keys, which would be checked for each message. `unnest` takes a tenth of the time
 * of `values` with many rows.
 */
export const acceptSql = `
  with mailboxes as (
    select workspace_id, id, xmin::text as version, from_name, reply_to from email_configs
    where workspace_id = any($2::uuid[]) and id = any($3::uuid[]) and deleted_at is null
    for key share
  ), owners as materialized (
    select w.id, w.api_tracking, w.address_salt, ${linkBaseSql('w.id')} as link_base
    from workspaces w where w.id = any($2::uuid[])
  ), given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::jsonb[],
      $9::bytea[], $10::jsonb[], $11::uuid[], $12::text[], $13::boolean[], $14::jsonb[], $15::text[])
      as g (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed, extra_headers,
        campaign_id, mailbox_version, is_test, options, origin)
  ), accepted as (
    insert into messages
      (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed, extra_headers,
        campaign_id, is_test, origin, kind, from_name, reply_to, cc, bcc, preheader, design, text_part, scheduled_at, timezone,
        undo_until, tracking, link_base)
    select g.id, g.workspace_id, g.config_id, g.from_address, g.subject, g.content, g.is_html, g.context, g.context_sealed,
      g.extra_headers, g.campaign_id, g.is_test, g.origin, coalesce(options->>'kind', 'transactional'),
      coalesce(options->>'fromName', m.from_name), coalesce(options->>'replyTo', m.reply_to),
      ${textsSql('cc')}, ${textsSql('bcc')}, coalesce(options->>'preheader', ''), nullif(options->'design', 'null'),
      options->>'textPart', (options->>'scheduledAt')::timestamptz, options->>'timezone',
      now() + nullif((options->>'undoSeconds')::int, 0) * interval '1 second',
      case when g.is_html and not g.is_test and g.context_sealed is null then coalesce(options->>'tracking', w.api_tracking)
        else 'off' end,
      w.link_base
    from given g join mailboxes m on m.workspace_id = g.workspace_id and m.id = g.config_id
      and (g.mailbox_version is null or g.mailbox_version = m.version)
      join owners w on w.id = g.workspace_id
    on conflict (workspace_id, id) do nothing
    returning id, workspace_id, config_id, campaign_id, scheduled_at, undo_until
  ), addressed as (
    insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient, state, settled_at, next_attempt_at)
    select ${monthSql('coalesce(accepted.scheduled_at, now())')}, accepted.workspace_id, accepted.id, accepted.config_id, accepted.campaign_id,
      case when erased.at is null then entry.recipient else '${erasedRecipient}' end,
      case when suppressed.email is null and erased.at is null then 'queued' else 'suppressed' end,
      case when suppressed.email is not null or erased.at is not null then now() end,
      coalesce(greatest(accepted.scheduled_at, accepted.undo_until), now())
    from unnest($16::uuid[], $17::text[], $18::text[]) with ordinality
        as entry (message_id, recipient, suppressible, position)
      join accepted on accepted.id = entry.message_id
      left join suppressions suppressed
        on suppressed.workspace_id = accepted.workspace_id and suppressed.email = entry.suppressible
      join owners w on w.id = accepted.workspace_id
      left join erased_addresses erased
        on erased.workspace_id = accepted.workspace_id and erased.address_hash = ${erasedHashSql('entry.suppressible')}
    order by entry.position
    returning message_id, state
  )
  select id, coalesce(of_message.count, 0)::int as "suppressedCount", undo_until as "undoUntil"
  from accepted left join (
    select message_id, count(*) from addressed where state = 'suppressed' group by message_id
  ) of_message on message_id = id`
