import { AppError } from '../../../contract/core/errors.ts'
import { refusalsShownMaxCount } from '../../../contract/core/limits.ts'
import type { MergeContext } from '../../../contract/mail/merge-variables.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { campaignMail, type CampaignMail } from '../../domain/campaigns/campaign-mail.ts'
import type { Design } from '../../../contract/design/design.ts'
import type { Writing } from '../../domain/templates/template-design.ts'
import type { TemplateRow } from '../../domain/templates/template.ts'
import type { CampaignRow } from '../../domain/campaigns/campaign.ts'
import { isRowId } from '../../domain/core/id.ts'
import { createSizeCheck, tooLargeItem } from '../../domain/messages/rendered-size.ts'
import type { CampaignStore } from '../../store/campaigns/campaign.ts'
import type { TemplateStore } from '../../store/templates/template.ts'
import {
  blankTexts,
  readMailboxes,
  readTexts,
  senderOf,
  type CampaignContentPorts,
  type CampaignInput,
} from './campaign-content.ts'
import { readSchedule } from './campaign-schedule.ts'
import type { CampaignService } from './campaign-service.ts'

interface Ports extends CampaignContentPorts {
  campaigns: Pick<CampaignStore, 'create'>
  templates: Pick<TemplateStore, 'find'>
  findCampaign: CampaignService['findCampaign']
  newId: () => string
}

/** A new campaign with its first recipients; it is not created where one of their mails is too large. */
export type NewCampaignInput = CampaignInput & {
  templateId: string | null
  /** What the given fields change: the writing of another campaign. Default that of the template. */
  writing?: Writing
  isStaged: boolean
  recipients: readonly { email: string; context: MergeContext | null }[]
}

/**
 * Creates a draft; once for each `resourceId`.
 * Throws `validation`, `mail_too_large`, `template_not_found`, `config_not_found`, `list_not_found`, `segment_not_found`; `campaign_not_found` for a `resourceId` that was created and deleted.
 */
export function createCreateCampaign(ports: Ports) {
  return async (
    scope: Scope,
    { templateId, writing, isStaged, recipients, ...input }: NewCampaignInput,
    resourceId: string | null = null,
  ): Promise<CampaignRow> => {
    const template = templateId === null ? null : await findTemplate(ports, scope, templateId)
    const texts = readTexts(
      {
        ...blankTexts,
        name: input.name ?? input.subject ?? template?.subject ?? '',
        subject: template?.subject ?? '',
        ...(template && writingOf(template)),
        ...writing,
      },
      input,
    )
    const schedule = readSchedule(input, { scheduledAt: null, timezone: null })
    const mailboxIds = await readMailboxes(ports, scope, input.mailboxIds ?? [])
    const audience = await ports.readAudience(scope, input.audience ?? {})
    const mail = campaignMail(texts, await senderOf(ports, scope))
    refuseLarge(mail, recipients, ports.publicUrl)
    const id = resourceId ?? ports.newId()
    const campaign = {
      ...texts,
      ...schedule,
      mailboxIds,
      audience,
      mail,
      id,
      templateId,
      isStaged,
    }
    return (await ports.campaigns.create(scope, campaign)) ?? ports.findCampaign(scope, id)
  }
}

const writingOf = ({ mode, design, preheader, body }: TemplateRow) => ({
  mode,
  design: design as Design | null,
  preheader,
  body,
})

function refuseLarge(mail: CampaignMail, recipients: NewCampaignInput['recipients'], publicUrl: string): void {
  if (recipients.length === 0) return
  const size = createSizeCheck({ ...mail, isHtml: true }, publicUrl)
  const items = recipients.flatMap(({ email, context }) => {
    const problem = size.find(email, context)
    return problem === null ? [] : [tooLargeItem(problem)]
  })
  if (items.length > 0) throw new AppError('mail_too_large', { items: items.slice(0, refusalsShownMaxCount) })
}

async function findTemplate({ templates }: Ports, scope: Scope, id: string) {
  const template = isRowId(id) ? await templates.find(scope, id) : null
  if (template === null) throw new AppError('template_not_found')
  return template
}
