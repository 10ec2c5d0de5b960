import { AppError } from '../../../contract/core/errors.ts'
import { campaignNameMaxChars } from '../../../contract/mail/campaign.limits.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignRow, RecipientLine } from '../../domain/campaigns/campaign.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { createAddCampaignRecipients } from './add-campaign-recipients.ts'
import type { CampaignService } from './campaign-service.ts'
import type { createCreateCampaign } from './create-campaign.ts'

interface Ports {
  recipients: Pick<CampaignRecipients, 'given'>
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  findCampaign: CampaignService['findCampaign']
  createCampaign: ReturnType<typeof createCreateCampaign>
  addCampaignRecipients: ReturnType<typeof createAddCampaignRecipients>
}

/**
 * Makes a draft with the message, the audience and the given recipients of a campaign; once for each `resourceId`. Returns
 * it. Throws `campaign_not_found`, `config_not_found` where none of its mailboxes is connected any more.
 */
export function createDuplicateCampaign(ports: Ports) {
  return async (scope: Scope, id: string, resourceId: string | null = null): Promise<CampaignRow> => {
    const campaign = await ports.findCampaign(scope, id)
    const connected = await ports.mailboxes.findMailboxes(scope, campaign.mailboxIds)
    if (connected.length === 0) throw new AppError('config_not_found')
    const { subject, body, context, mode, preheader, design, fromName, replyTo, kind, audience } = campaign
    const ids = new Set(connected.map(({ mailboxId }) => mailboxId))
    const copy = await ports.createCampaign(
      scope,
      {
        ...{ subject, context, fromName, replyTo, kind, audience, templateId: null, isStaged: false, recipients: [] },
        writing: { mode, design, preheader, body },
        name: copyName(campaign.name === '' ? subject : campaign.name),
        mailboxIds: campaign.mailboxIds.filter((mailboxId) => ids.has(mailboxId)),
      },
      resourceId,
    )
    await ports.addCampaignRecipients(scope, copy.id, linesOf(ports.recipients.given(scope, id)))
    return copy
  }
}

const copyName = (name: string) => `${name.slice(0, campaignNameMaxChars - 7)} (copy)`

async function* linesOf(rows: AsyncIterable<Omit<Extract<RecipientLine, { email: string }>, 'line'>>) {
  let line = 0
  for await (const row of rows) yield { line: (line += 1), ...row }
}
