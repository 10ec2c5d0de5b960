import type { CampaignMail } from '../../domain/campaigns/campaign-mail.ts'
import type { CampaignContent } from '../../domain/campaigns/campaign.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { Queryable } from '../core/database.ts'

/** What the messages of a campaign get from it. */
export type SentMail = CampaignMail & Pick<CampaignContent, 'kind' | 'preheader' | 'fromName' | 'replyTo'>

const mailValues = (mail: SentMail): unknown[] => [
  mail.subject,
  mail.content,
  JSON.stringify(mail.context),
  JSON.stringify(mail.extraHeaders),
  mail.kind,
  mail.preheader,
  mail.textPart,
  mail.fromName,
  mail.replyTo,
]

/** Adds the messages of a campaign, one for each mailbox; header fields that it has not are the mailbox's. */
export async function writeMessages(
  { workspaceId }: Scope,
  executor: Queryable,
  id: string,
  messages: readonly { id: string; mailboxId: string }[],
  mail: SentMail,
): Promise<void> {
  await executor.query(
    `insert into messages
       (id, workspace_id, config_id, from_address, is_html, campaign_id, origin, subject, content, context, extra_headers, kind,
         preheader, text_part, from_name, reply_to)
     select given.id, $2, c.id, c.email_address, true, $1, 'campaign', $5, $6, $7, $8, $9, $10, $11,
       coalesce($12, c.from_name), coalesce($13, c.reply_to)
     from unnest($3::uuid[], $4::uuid[]) as given (id, config_id)
       join email_configs c on c.workspace_id = $2 and c.id = given.config_id
     for key share of c`,
    [
      id,
      workspaceId,
      messages.map((message) => message.id),
      messages.map(({ mailboxId }) => mailboxId),
      ...mailValues(mail),
    ],
  )
}

/** Writes what a campaign sends into its messages. `isFinal`: header fields that it has not are taken from the mailbox. */
export async function rewriteMessages(
  { workspaceId }: Scope,
  executor: Queryable,
  id: string,
  mail: SentMail,
  { isFinal }: { isFinal: boolean },
): Promise<void> {
  const [fromName, replyTo, from] = isFinal
    ? ['coalesce($10, c.from_name)', 'coalesce($11, c.reply_to)', 'from email_configs c']
    : ['$10', '$11', '']
  await executor.query(
    `update messages m set subject = $3, content = $4, context = $5, extra_headers = $6, kind = $7, preheader = $8,
       text_part = $9, from_name = ${fromName}, reply_to = ${replyTo}
     ${from}
     where m.workspace_id = $1 and m.campaign_id = $2
       ${isFinal ? 'and c.workspace_id = m.workspace_id and c.id = m.config_id' : ''}`,
    [workspaceId, id, ...mailValues(mail)],
  )
}
