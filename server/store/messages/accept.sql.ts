import type { MessageOrigin } from '../../../contract/results/tracking-mode.ts'
import type { MessageOptions, NewMessage } from '../../domain/messages/message.ts'
import { plainArray, textArray } from '../core/array-literal.ts'
import { linkBaseSql } from '../tracking/campaign-tracking.sql.ts'
import { erasedHashSql, erasedRecipient } from '../suppressions/erased-address.sql.ts'

/** A message to insert, with its sealed context if it has one. */
export interface AcceptedMessage extends NewMessage {
  workspaceId: string
  sealedContext: Buffer | null
}

/**
 * Parameters of `acceptSql`: one list for each column, and one with the recipients of all messages. `unnest` fills a list
 * that is too short with nulls, so that one without a value is empty.
 */
export function acceptValues(messages: readonly AcceptedMessage[]): unknown[] {
  const column = <T>(read: (message: AcceptedMessage) => T) => messages.map(read)
  const plainColumn = (read: (message: AcceptedMessage) => string | boolean | null) => sparse(column(read), plainArray)
  const textColumn = (read: (message: AcceptedMessage) => string | null) => sparse(column(read), textArray)
  return [
    plainColumn(({ id }) => id),
    plainColumn(({ workspaceId }) => workspaceId),
    plainColumn(({ mailboxId }) => mailboxId),
    textColumn(({ fromAddress }) => fromAddress),
    textColumn(({ subject }) => subject),
    textColumn(({ content }) => content),
    plainColumn(({ isHtml }) => isHtml),
    textColumn(({ sealedContext, context }) => (sealedContext === null ? JSON.stringify(context) : '{}')),
    sparse(
      column(({ sealedContext }) => sealedContext),
      (values) => values,
    ),
    textColumn(({ extraHeaders }) => (extraHeaders ? JSON.stringify(extraHeaders) : null)),
    plainColumn(({ campaignId }) => campaignId ?? null),
    plainColumn(({ mailboxVersion }) => mailboxVersion ?? null),
    plainColumn(({ isTest = false }) => isTest),
    textColumn(({ options }) => (options === undefined ? null : optionsJson(options))),
    plainColumn(({ isTest = false, campaignId, origin = 'api' }) => originOf(isTest, campaignId, origin)),
    plainArray(messages.flatMap(({ id, recipients }) => recipients.map(() => id))),
    textArray(messages.flatMap(({ recipients }) => recipients)),
    textArray(
      messages.flatMap(({ recipients, obeysSuppressions = false }) =>
        recipients.map((address) => (obeysSuppressions ? address.toLowerCase() : null)),
      ),
    ),
  ]
}

function sparse<T, U>(values: readonly (T | null)[], encode: (values: readonly (T | null)[]) => U): U | '{}' {
  return values.every((value) => value === null) ? '{}' : encode(values)
}

/** Lists are texts in the syntax of arrays: the statement converts them without a query of its own for each row. */
function optionsJson({ cc, bcc, ...options }: MessageOptions): string {
  return JSON.stringify({ ...options, ...(cc && { cc: textArray(cc) }), ...(bcc && { bcc: textArray(bcc) }) })
}

function originOf(isTest: boolean, campaignId: string | undefined, origin: MessageOrigin): MessageOrigin {
  if (isTest) return 'test'
  return campaignId === undefined ? origin : 'campaign'
}

/** The partition of a delivery that leaves at an instant. */
export const monthSql = (instant: string) => `date_trunc('month', ${instant} at time zone 'utc')::date`
/** The partition that new deliveries go into. */
export const monthNowSql = monthSql('now()')

/** Columns of messages that are written from options alone. */
const optionColumns = ', kind, cc, bcc, preheader, design, text_part, scheduled_at, timezone, undo_until'
const optionValues = `, coalesce(options->>'kind', 'transactional'), coalesce(options->>'cc', '{}')::text[],
      coalesce(options->>'bcc', '{}')::text[], coalesce(options->>'preheader', ''), nullif(options->'design', 'null'),
      options->>'textPart', (options->>'scheduledAt')::timestamptz, options->>'timezone',
      now() + nullif((options->>'undoSeconds')::int, 0) * interval '1 second'`

/**
 * Inserts messages and one delivery for each recipient; returns the ids of the inserted messages with their number of
 * suppressed recipients, erased ones included. Skips messages that exist, and those whose mailbox was deleted or changed. Locks the
 * mailboxes' rows in place of foreign keys, which would be checked for each message. `unnest` takes a tenth of the time
 * of `values` with many rows.
 *
 * `hasOptions`: a message has some, which are read; without them the statement takes a tenth less of the database's time.
 *
 * Its prepared plan must be generic: planning takes longer than accepting one message. So no part may become cheaper with
 * fewer values, as a subquery for each id of `$2` would. `position + 0` cannot be read from the order of the recipients, so
 * that these are joined by hash and sorted; a nested loop would compare each recipient with each message.
 */
function acceptText(hasOptions: boolean): string {
  const optional = (name: string, otherwise: string) =>
    hasOptions ? `coalesce(options->>'${name}', ${otherwise})` : otherwise
  // A query of its own is evaluated once for all rows.
  const month = hasOptions ? monthSql('coalesce(accepted.scheduled_at, now())') : `(select ${monthNowSql})`
  return `
  with mailboxes as (
    select workspace_id, id, xmin::text as version, from_name, reply_to from email_configs
    where workspace_id = any($2::uuid[]) and id = any($3::uuid[]) and deleted_at is null
    for key share
  ), senders as materialized (
    select m.*, w.api_tracking, ${linkBaseSql('w.id')} as link_base,
      exists (select from erased_addresses e where e.workspace_id = w.id) as has_erased
    from mailboxes m join workspaces w on w.id = m.workspace_id
  ), given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::jsonb[],
      $9::bytea[], $10::jsonb[], $11::uuid[], $12::text[], $13::boolean[], $14::jsonb[], $15::text[])
      as g (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed, extra_headers,
        campaign_id, mailbox_version, is_test, options, origin)
  ), accepted as (
    insert into messages
      (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed, extra_headers,
        campaign_id, is_test, origin, from_name, reply_to, tracking, link_base${hasOptions ? optionColumns : ''})
    select g.id, g.workspace_id, g.config_id, g.from_address, g.subject, g.content, g.is_html, g.context, g.context_sealed,
      g.extra_headers, g.campaign_id, g.is_test, g.origin,
      ${optional('fromName', 's.from_name')}, ${optional('replyTo', 's.reply_to')},
      case when g.is_html and not g.is_test and g.context_sealed is null then ${optional('tracking', 's.api_tracking')}
        else 'off' end,
      s.link_base${hasOptions ? optionValues : ''}
    from given g join senders s on s.workspace_id = g.workspace_id and s.id = g.config_id
      and (g.mailbox_version is null or g.mailbox_version = s.version)
    on conflict (workspace_id, id) do nothing
    returning id, workspace_id, config_id, campaign_id, scheduled_at, undo_until
  ), addressed as (
    insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient, state, settled_at, next_attempt_at)
    select ${month}, accepted.workspace_id, accepted.id, accepted.config_id, accepted.campaign_id,
      case when erased.at is null then entry.recipient else '${erasedRecipient}' end,
      case when suppressed.email is null and erased.at is null then 'queued' else 'suppressed' end,
      case when suppressed.email is not null or erased.at is not null then now() end,
      ${hasOptions ? 'coalesce(greatest(accepted.scheduled_at, accepted.undo_until), now())' : 'now()'}
    from unnest($16::uuid[], $17::text[], $18::text[]) with ordinality
        as entry (message_id, recipient, suppressible, position)
      join accepted on accepted.id = entry.message_id
      left join suppressions suppressed
        on suppressed.workspace_id = accepted.workspace_id and suppressed.email = entry.suppressible
      left join erased_addresses erased
        on erased.workspace_id = accepted.workspace_id and erased.address_hash = case
          when accepted.workspace_id = any((select array_agg(s.workspace_id) from senders s where s.has_erased)::uuid[])
          then ${erasedHashSql('entry.suppressible', '(select w.address_salt from workspaces w where w.id = accepted.workspace_id)')}
        end
    order by entry.position + 0
    returning message_id, state
  )
  select id, coalesce(of_message.count, 0)::int as "suppressedCount", undo_until as "undoUntil"
  from accepted left join (
    select message_id, count(*) from addressed where state = 'suppressed' group by message_id
  ) of_message on message_id = id`
}

/** The statement for messages of which one has options, and for those without any. */
export const acceptSql = { withOptions: acceptText(true), withoutOptions: acceptText(false) } as const
