import * as contract from '../../../contract/mail/campaign-lifecycle.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { AddRoute } from '../core/route.ts'
import { retriedSentence, sentSentence } from '../messages/response-messages.ts'
import { getAnswer, type CampaignUseCases } from './campaign.ts'

/** Routes that start, stop, repeat and test a campaign. */
export function addCampaignLifecycleRoutes(add: AddRoute, useCases: CampaignUseCases): void {
  add(contract.launchEmailCampaign, async ({ params, body, scope, isRetry }) => {
    const { scheduled_at: scheduledAt, timezone, undo_seconds: undoSeconds, revision } = body
    await useCases.launchCampaign(scope, params.id, { scheduledAt, timezone, undoSeconds, revision }, isRetry)
    return getAnswer(useCases, scope, params.id)
  })

  add(contract.undoEmailCampaign, async ({ params, scope }) => {
    await useCases.undoLaunch(scope, params.id)
    return getAnswer(useCases, scope, params.id)
  })

  add(contract.duplicateEmailCampaign, async ({ params, scope, resourceId }) => {
    const { id } = await useCases.duplicateCampaign(scope, params.id, resourceId)
    return getAnswer(useCases, scope, id)
  })

  add(contract.estimateEmailCampaign, async ({ body, scope }) => {
    const { config_ids: mailboxIds, recipients = [], recipient_count: otherCount = 0 } = body
    const schedule = { scheduledAt: body.scheduled_at, timezone: body.timezone }
    const plan = await useCases.estimateLaunch(scope, { mailboxIds, recipients, otherCount, ...schedule })
    const { count, suppressedCount: suppressed, finishesAt, problems } = plan
    return { count, suppressed, finishes_at: finishesAt?.toISOString() ?? null, problems }
  })

  const transitions = [
    [contract.pauseEmailCampaign, (scope, id) => useCases.pauseCampaign(scope, id)],
    [contract.resumeEmailCampaign, (scope, id, isRetry) => useCases.resumeCampaign(scope, id, isRetry)],
    [contract.cancelEmailCampaign, (scope, id) => useCases.cancelCampaign(scope, id)],
  ] as const satisfies [unknown, (scope: Scope, id: string, isRetry: boolean) => Promise<void>][]
  for (const [operation, change] of transitions) {
    add(operation, async ({ params, scope, isRetry }) => {
      await change(scope, params.id, isRetry)
      return getAnswer(useCases, scope, params.id)
    })
  }

  add(contract.retryEmailCampaign, async ({ params, scope }) => {
    const retried = await useCases.retryCampaign(scope, params.id)
    const { resentCount: resent, suppressedCount: suppressed } = retried
    return { ...(await getAnswer(useCases, scope, params.id)), message: retriedSentence(retried), resent, suppressed }
  })

  add(contract.testEmailCampaign, async ({ params, body, scope, resourceId }) => {
    const mail = { recipients: body.recipient_list, context: body.context ?? {} }
    const sent = await useCases.testCampaign(scope, params.id, mail, resourceId)
    return { message: sentSentence(sent.acceptedCount), id: sent.messageId, unfilled_variables: sent.unfilledNames }
  })
}
