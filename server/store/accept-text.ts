import type { NewMessage } from '../domain/message.ts'

/** A message on its way into the database, its context sealed where that was asked for. */
export interface AcceptedMessage extends NewMessage {
  sealedContext: Buffer | null
}

/** Parameters of `acceptText` for these messages: one list for each column, and the recipients of all in one. */
export function acceptValues(messages: readonly AcceptedMessage[]): unknown[] {
  const column = <T>(read: (message: AcceptedMessage) => T) => messages.map(read)
  return [
    column(({ id }) => id),
    column(({ workspaceId }) => workspaceId),
    column(({ configId }) => configId),
    column(({ fromAddress }) => fromAddress),
    column(({ subject }) => subject),
    column(({ content }) => content),
    column(({ isHtml }) => isHtml),
    column(({ sealedContext, context }) => (sealedContext === null ? JSON.stringify(context) : '{}')),
    column(({ sealedContext }) => sealedContext),
    column(({ extraHeaders }) => (extraHeaders ? JSON.stringify(extraHeaders) : null)),
    column(({ campaignId }) => campaignId ?? null),
    messages.flatMap((message) => addressesOf(message).map(() => message.id)),
    messages.flatMap(addressesOf),
    messages.flatMap((message) => addressesOf(message).map((_, at) => at >= message.recipients.length)),
  ]
}

/** Those that are written to, then those that must not be. */
function addressesOf({ recipients, suppressedRecipients = [] }: NewMessage): readonly string[] {
  return suppressedRecipients.length === 0 ? recipients : [...recipients, ...suppressedRecipients]
}

/** The partition that new deliveries go into. */
export const monthNowText = "date_trunc('month', now() at time zone 'utc')::date"

/**
 * Writes messages and one delivery for each of their recipients, and gives the ids of those written: not the ones whose
 * mailbox is gone, and none that is there already. `unnest` takes a tenth of the time of `values` with many rows.
 */
export const acceptText = `
  with given as (
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::jsonb[],
      $9::bytea[], $10::jsonb[], $11::uuid[])
      as g (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed, extra_headers,
        campaign_id)
  ), accepted as (
    insert into messages
      (id, workspace_id, config_id, from_address, subject, content, is_html, context, context_sealed, extra_headers,
        campaign_id)
    select g.* from given g join email_configs c on c.id = g.config_id and c.deleted_at is null
    on conflict (id) do nothing
    returning id, workspace_id, config_id, campaign_id
  ), addressed as (
    insert into deliveries (month, workspace_id, message_id, config_id, campaign_id, recipient, state, settled_at)
    select ${monthNowText}, accepted.workspace_id, accepted.id, accepted.config_id, accepted.campaign_id, entry.recipient,
      case when entry.is_suppressed then 'suppressed' else 'queued' end,
      case when entry.is_suppressed then now() end
    from unnest($12::uuid[], $13::text[], $14::boolean[]) with ordinality
        as entry (message_id, recipient, is_suppressed, position)
      join accepted on accepted.id = entry.message_id
    order by entry.position
  )
  select id from accepted`
