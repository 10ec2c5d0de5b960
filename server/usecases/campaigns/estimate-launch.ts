import { parseAddress } from '../../../contract/core/address.ts'
import { AppError, errors } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'
import type { CompletionEstimator } from '../quota/estimate-completion.ts'
import { readMailboxes, type CampaignContentPorts } from './campaign-content.ts'
import type { CampaignMailboxes } from './campaign-mailboxes.ts'
import { readSchedule, type ScheduleInput } from './campaign-schedule.ts'

interface Ports extends CampaignContentPorts {
  recipients: Pick<CampaignRecipients, 'countSuppressed'>
  workspaces: Pick<WorkspaceStore, 'find'>
  estimator: Pick<CompletionEstimator, 'launch'>
  campaignMailboxes: Pick<CampaignMailboxes, 'listReady'>
}

/** A launch that is only thought of. */
export interface LaunchPlan extends ScheduleInput {
  mailboxIds: readonly string[]
  /** Addresses; what is no address is ignored. */
  recipients: readonly string[]
  /** People beside these. */
  otherCount: number
}

/** Estimates a launch and names the reasons that would refuse it. Throws `config_not_found`, `validation`. */
export function createEstimateLaunch(ports: Ports) {
  return async (scope: Scope, { mailboxIds, recipients, otherCount, ...schedule }: LaunchPlan) => {
    const ids = await readMailboxes(ports, scope, mailboxIds)
    const { scheduledAt } = readSchedule(schedule, { scheduledAt: null, timezone: null })
    const keys = new Set(
      recipients.flatMap((text) => {
        const parsed = parseAddress(text)
        return parsed.ok ? [parsed.key] : []
      }),
    )
    const suppressedCount = await ports.recipients.countSuppressed(scope, [...keys])
    const count = keys.size - suppressedCount + otherCount
    const problems: { code: string; message: string }[] = []
    try {
      await ports.campaignMailboxes.listReady(scope, { mailboxIds: ids })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.push({ code: error.code, message: error.message })
    }
    const { postalAddress = null } = (await ports.workspaces.find(scope)) ?? {}
    if ((postalAddress ?? '').trim() === '') problems.push(problemOf('postal_address_missing'))
    if (count === 0) problems.push(problemOf('campaign_empty'))
    return {
      count,
      suppressedCount,
      finishesAt: await ports.estimator.launch(scope, ids, count, scheduledAt),
      problems,
    }
  }
}

const problemOf = (code: 'postal_address_missing' | 'campaign_empty') => ({ code, message: errors[code].sentence })
