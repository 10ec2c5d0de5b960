import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { campaignMail, type CampaignMail } from '../../domain/campaigns/campaign-mail.ts'
import { statesBefore } from '../../domain/campaigns/campaign-state.ts'
import type { CampaignContent, CampaignRow } from '../../domain/campaigns/campaign.ts'
import type { CampaignStore } from '../../store/campaigns/campaign.ts'
import {
  readMailboxes,
  readTexts,
  senderOf,
  type CampaignContentPorts,
  type CampaignInput,
} from './campaign-content.ts'
import { readSchedule } from './campaign-schedule.ts'
import { checkRevision, refuseAction, retryOnConflict, type CampaignService } from './campaign-service.ts'
import type { RefuseLargeCampaign } from './campaign-size.ts'

interface Ports extends CampaignContentPorts {
  campaigns: Pick<CampaignStore, 'rename' | 'rewrite'>
  findCampaign: CampaignService['findCampaign']
  refuseLargeCampaign: RefuseLargeCampaign
}

/**
 * Changes the given fields; after the start only the name.
 * Throws `campaign_not_found`, `campaign_state`, `revision_conflict`, `design_and_body`, `design_invalid`, `campaign_has_recipients`, `validation`, `config_not_found`, `list_not_found`, `segment_not_found`; for one that
 * starts without a further call `mail_too_large`.
 */
export function createUpdateCampaign(ports: Ports) {
  const edited = async (
    scope: Scope,
    campaign: CampaignRow,
    input: CampaignInput,
  ): Promise<CampaignContent & { mail: CampaignMail }> => {
    const texts = readTexts(campaign, input)
    const schedule = readSchedule(input, campaign)
    if (campaign.status === 'scheduled' && schedule.scheduledAt === null) {
      const msg = 'scheduled_at is required while the campaign is scheduled; launch it to start now, or pause it'
      throw new AppError('validation', { items: [{ loc: ['body', 'scheduled_at'], msg, type: 'missing' }] })
    }
    const mailboxIds = input.mailboxIds ? await readMailboxes(ports, scope, input.mailboxIds) : campaign.mailboxIds
    const mail = campaignMail(texts, await senderOf(ports, scope))
    if (campaign.status === 'scheduled') await ports.refuseLargeCampaign(scope, campaign.id, mail)
    const audience = input.audience
      ? await ports.readAudience(scope, { ...campaign.audience, ...input.audience })
      : campaign.audience
    return { ...texts, ...schedule, mailboxIds, audience, mail }
  }

  return async (scope: Scope, id: string, input: CampaignInput, revision: number | null = null): Promise<void> => {
    const { name, ...rest } = input
    const isNameOnly = Object.values(rest).every((value) => value === undefined)
    if (isNameOnly) {
      checkRevision(await ports.findCampaign(scope, id), revision)
      if (name === undefined || (await ports.campaigns.rename(scope, id, name, revision))) return
      checkRevision(await ports.findCampaign(scope, id), revision)
      return
    }
    const from = statesBefore('edit')
    const outcome = await retryOnConflict(async () => {
      const read = await ports.findCampaign(scope, id)
      if (!from.includes(read.status)) return null
      checkRevision(read, revision)
      return ports.campaigns.rewrite(scope, id, { from, read }, await edited(scope, read, input))
    })
    if (outcome === 'recipients') throw new AppError('campaign_has_recipients')
    if (outcome === null) refuseAction('edit', await ports.findCampaign(scope, id))
  }
}
