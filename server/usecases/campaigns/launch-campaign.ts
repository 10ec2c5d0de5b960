import { AppError, errors } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { isEmptyAudience } from '../../domain/campaigns/audience.ts'
import { campaignMail } from '../../domain/campaigns/campaign-mail.ts'
import { statesBefore, transitionOf } from '../../domain/campaigns/campaign-state.ts'
import type { CampaignRow } from '../../domain/campaigns/campaign.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { CampaignStore } from '../../store/campaigns/campaign.ts'
import type { CampaignAudienceService } from './campaign-audience.ts'
import type { CampaignMailboxes } from './campaign-mailboxes.ts'
import { isLater, readSchedule, type ScheduleInput } from './campaign-schedule.ts'
import { checkRevision, refuseAction, retryOnConflict, type CampaignService } from './campaign-service.ts'
import type { RefuseLargeCampaign } from './campaign-size.ts'

interface Ports {
  campaigns: Pick<CampaignStore, 'launch'>
  workspaces: Pick<WorkspaceStore, 'find'>
  audiences: Pick<CampaignAudienceService, 'refuseBroken' | 'hasPeople'>
  campaignMailboxes: CampaignMailboxes
  findCampaign: CampaignService['findCampaign']
  refuseLargeCampaign: RefuseLargeCampaign
  /** Prepares campaigns that are due now. */
  wakeFill: () => void
  now: () => Date
  publicUrl: string
}

function addressMissing(): AppError {
  const msg = errors.postal_address_missing.sentence
  return new AppError('postal_address_missing', { items: [{ loc: ['body'], msg, type: 'postal_address_missing' }] })
}

/** When to launch; `undoSeconds`: so long it can be undone, and nothing leaves. */
export interface LaunchInput extends ScheduleInput {
  undoSeconds?: number | undefined
  /** Launched only if this is its revision. */
  revision?: number | undefined
}

export type LaunchCampaign = ReturnType<typeof createLaunchCampaign>

/**
 * Starts a campaign: now, or at the time given here or before. What is sent is fixed from here on. `isRetry`: this call may
 * have started it before, and finds it under way then.
 * Throws `campaign_not_found`, `campaign_state`, `campaign_empty`, `audience_broken`, `mail_too_large`, `postal_address_missing`,
 * `config_not_found`, `mailbox_paused`, `validation`.
 */
export function createLaunchCampaign(ports: Ports) {
  const { campaigns, audiences, campaignMailboxes, findCampaign } = ports

  /** The part of a launch that needs no lock: checks the requirements and builds the mail. */
  const prepareLaunch = async (scope: Scope, campaign: CampaignRow, input: LaunchInput) => {
    const { undoSeconds = 0 } = input
    const schedule = readSchedule(input, campaign)
    await audiences.refuseBroken(scope, campaign.audience)
    const hasRecipients = Object.values(campaign.counts).some((count) => count > 0)
    if (!hasRecipients && !(await audiences.hasPeople(scope, campaign.audience))) throw new AppError('campaign_empty')
    const { postalAddress = null } = (await ports.workspaces.find(scope)) ?? {}
    if (campaign.kind === 'bulk' && (postalAddress ?? '').trim() === '') throw addressMissing()
    await campaignMailboxes.listReady(scope, campaign)
    const mail = campaignMail(campaign, { postalAddress, publicUrl: ports.publicUrl })
    await ports.refuseLargeCampaign(scope, campaign.id, mail)
    const { to } = transitionOf(
      undoSeconds > 0 || isLater(schedule.scheduledAt, ports.now())
        ? 'schedule'
        : isEmptyAudience(campaign.audience)
          ? 'launch'
          : 'prepare',
    )
    const { kind, preheader, fromName, replyTo } = campaign
    return { to, schedule, mail: { ...mail, kind, preheader, fromName, replyTo }, undoSeconds }
  }

  return async (scope: Scope, id: string, input: LaunchInput, isRetry = false): Promise<void> => {
    const from = statesBefore('launch')
    const campaign = await retryOnConflict(async () => {
      const read = await findCampaign(scope, id)
      if (!from.includes(read.status) && isRetry) return null
      if (!from.includes(read.status)) refuseAction('launch', read)
      // A retried call may have launched it before.
      if (!isRetry) checkRevision(read, input.revision ?? null)
      const outcome = await campaigns.launch(scope, id, { from, read }, await prepareLaunch(scope, read, input))
      return outcome === 'launched' ? read : (outcome ?? refuseAction('launch', await findCampaign(scope, id)))
    })
    if (campaign === null) return
    if (isEmptyAudience(campaign.audience)) campaignMailboxes.wake(scope, campaign.mailboxIds)
    else ports.wakeFill()
  }
}
