import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { statesBefore, transitionOf } from '../../domain/campaigns/campaign-state.ts'
import { isEmptyAudience } from '../../domain/campaigns/audience.ts'
import type { CampaignRow } from '../../domain/campaigns/campaign.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'
import type { CampaignScheduler } from '../../store/campaigns/campaign-scheduler.ts'
import type { CampaignStore } from '../../store/campaigns/campaign.ts'
import type { RetriedCounts } from '../messages/retry-message.ts'
import type { CampaignMailboxes } from './campaign-mailboxes.ts'
import { isLater } from './campaign-schedule.ts'
import { refuseAction, type CampaignService } from './campaign-service.ts'

interface Ports {
  campaigns: Pick<CampaignStore, 'move' | 'remove' | 'undoLaunch'>
  recipients: Pick<CampaignRecipients, 'retryFailed'>
  scheduler: Pick<CampaignScheduler, 'cancelPending'>
  campaignMailboxes: CampaignMailboxes
  findCampaign: CampaignService['findCampaign']
  /** Prepares campaigns that are due now. */
  wakeFill: () => void
  now: () => Date
}

export type CampaignLifecycle = ReturnType<typeof createCampaignLifecycle>

/** Transitions after the launch. Each throws `campaign_not_found`, and `campaign_state` where the state refuses it. */
export function createCampaignLifecycle({
  campaigns,
  recipients,
  scheduler,
  campaignMailboxes,
  findCampaign,
  wakeFill,
  now,
}: Ports) {
  const move = async (
    scope: Scope,
    { id }: CampaignRow,
    event: 'pause' | 'resume' | 'reschedule' | 'refill' | 'cancel',
  ): Promise<void> => {
    const isMoved = await campaigns.move(scope, id, transitionOf(event))
    if (!isMoved)
      refuseAction(event === 'reschedule' || event === 'refill' ? 'resume' : event, await findCampaign(scope, id))
  }

  return {
    /** Makes a draft again of a campaign that was launched a moment ago. Throws `undo_too_late`. */
    async undoLaunch(scope: Scope, id: string): Promise<void> {
      await findCampaign(scope, id)
      if (!(await campaigns.undoLaunch(scope, id)))
        throw new AppError('undo_too_late', { detail: 'The time to undo has passed; the mails leave.' })
    },

    /** Sending stops within a second. */
    async pauseCampaign(scope: Scope, id: string): Promise<void> {
      await move(scope, await findCampaign(scope, id), 'pause')
    },

    /** `isRetry`: an earlier attempt of this call may have resumed it. */
    async resumeCampaign(scope: Scope, id: string, isRetry = false): Promise<void> {
      const campaign = await findCampaign(scope, id)
      if (isRetry && !statesBefore('resume').includes(campaign.status)) return
      const isWaiting = campaign.startedAt === null && isLater(campaign.scheduledAt, now())
      const isUnfilled = campaign.startedAt === null && !isEmptyAudience(campaign.audience)
      await move(scope, campaign, isWaiting ? 'reschedule' : isUnfilled ? 'refill' : 'resume')
      if (isUnfilled) wakeFill()
      else campaignMailboxes.wake(scope, campaign.mailboxIds)
    },

    /** Deliveries that are being sent keep their result. */
    async cancelCampaign(scope: Scope, id: string): Promise<void> {
      await move(scope, await findCampaign(scope, id), 'cancel')
      await scheduler.cancelPending(scope, id)
    },

    async deleteCampaign(scope: Scope, id: string): Promise<void> {
      const isGone = isRowId(id) && (await campaigns.remove(scope, id))
      if (!isGone) throw new AppError('campaign_not_found')
      await scheduler.cancelPending(scope, id)
    },

    /** Requeues failed deliveries only. */
    async retryCampaign(scope: Scope, id: string): Promise<RetriedCounts> {
      await findCampaign(scope, id)
      const retried = await recipients.retryFailed(scope, { id, from: statesBefore('retry') })
      const { mailboxIds, requeuedCount, suppressedCount } =
        retried ?? refuseAction('retry', await findCampaign(scope, id))
      campaignMailboxes.wake(scope, mailboxIds)
      return { resentCount: requeuedCount, suppressedCount }
    },
  }
}
