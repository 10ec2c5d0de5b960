import { AppError } from '../../../contract/core/errors.ts'
import { campaignNameMaxChars } from '../../../contract/mail/campaign.limits.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { noAudience } from '../../domain/campaigns/audience.ts'
import type { CampaignRow, RecipientFilter, RecipientLine } from '../../domain/campaigns/campaign.ts'
import type { RecipientList } from '../../store/campaigns/recipient-list.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'
import type { ReportStore } from '../../store/reports/report.ts'
import type { SetCampaignTracking } from '../tracking/campaign-tracking.ts'
import type { createAddCampaignRecipients } from './add-campaign-recipients.ts'
import type { createCampaignAttachments } from './campaign-attachments.ts'
import { refuseAction, type CampaignService } from './campaign-service.ts'
import type { createCreateCampaign } from './create-campaign.ts'

interface Ports extends Pick<ReturnType<typeof createCampaignAttachments>, 'listCampaignFiles' | 'setCampaignFiles'> {
  recipientList: Pick<RecipientList, 'lines'>
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  reports: Pick<ReportStore, 'readStats'>
  findCampaign: CampaignService['findCampaign']
  createCampaign: ReturnType<typeof createCreateCampaign>
  addCampaignRecipients: ReturnType<typeof createAddCampaignRecipients>
  setCampaignTracking: SetCampaignTracking
}

const notOpened: RecipientFilter = {
  state: null,
  search: null,
  act: 'not_opened',
  linkNo: null,
  bounceReason: null,
  domain: null,
  mailboxId: null,
}

/**
 * Makes a draft with the message of a campaign that has ended and a new subject, for the recipients who did not open it;
 * once for each `resourceId`. Returns it. Throws `campaign_not_found`, `campaign_state`, `tracking_off` where opens are
 * not recorded for each recipient, and `config_not_found` where none of its mailboxes is connected any more.
 */
export function createResendCampaign(ports: Ports) {
  return async (scope: Scope, id: string, subject: string, resourceId: string | null): Promise<CampaignRow> => {
    const campaign = await ports.findCampaign(scope, id)
    const { status, startedAt } = campaign
    if ((status !== 'finished' && status !== 'cancelled') || startedAt === null) refuseAction('resend', campaign)
    const stats = await ports.reports.readStats(scope, [id])
    if (stats.get(id)?.tracking !== 'identified') throw new AppError('tracking_off')
    const connected = await ports.mailboxes.findMailboxes(scope, campaign.mailboxIds)
    if (connected.length === 0) throw new AppError('config_not_found')
    const { body, context, preheader, design, fromName, replyTo, kind, tracking, utm, frequencyExempt } = campaign
    const ids = new Set(connected.map(({ mailboxId }) => mailboxId))
    const copy = await ports.createCampaign(
      scope,
      {
        ...{ subject, context, fromName, replyTo, kind, templateId: null, isStaged: false, recipients: [] },
        ...(design === null ? { body, preheader } : { design }),
        name: nameOf(campaign),
        audience: noAudience,
        mailboxIds: campaign.mailboxIds.filter((mailboxId) => ids.has(mailboxId)),
      },
      resourceId,
    )
    // An earlier attempt may have launched it since.
    if (copy.status !== 'draft') return copy
    await ports.setCampaignTracking(scope, copy.id, { tracking, utm: utm ?? undefined, frequencyExempt })
    const files = await ports.listCampaignFiles(scope, id)
    if (files.length > 0) await ports.setCampaignFiles(scope, copy.id, files)
    await ports.addCampaignRecipients(scope, copy.id, linesOf(ports.recipientList.lines(scope, id, notOpened)))
    return copy
  }
}

const suffix = ' (not opened)'
const nameOf = ({ name, subject }: CampaignRow) =>
  `${(name === '' ? subject : name).slice(0, campaignNameMaxChars - suffix.length)}${suffix}`

async function* linesOf(rows: ReturnType<RecipientList['lines']>): AsyncGenerator<RecipientLine> {
  let line = 0
  for await (const row of rows) yield { line: (line += 1), ...row }
}
