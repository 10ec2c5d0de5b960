import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { refusalsShownMaxCount } from '../../../contract/core/limits.ts'
import { stateSentence, statesBefore } from '../../domain/campaigns/campaign-state.ts'
import type { CampaignRecipient, CampaignStatus, RecipientLine } from '../../domain/campaigns/campaign.ts'
import { campaignMail } from '../../domain/campaigns/campaign-mail.ts'
import { createMailboxAllocator } from '../../domain/quota/forecast.ts'
import { createSizeCheck } from '../../domain/messages/rendered-size.ts'
import type { CompletionEstimator } from '../quota/estimate-completion.ts'
import type { CampaignService } from './campaign-service.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'
import type { WorkspaceStore } from '../../store/accounts/workspace.ts'

interface Ports {
  recipients: Pick<CampaignRecipients, 'add' | 'analyze'>
  estimator: Pick<CompletionEstimator, 'budgets'>
  workspaces: Pick<WorkspaceStore, 'find'>
  findCampaign: CampaignService['findCampaign']
  now: () => Date
  publicUrl: string
}

/** Result of a stream of recipients; everything that it counts is committed. */
export interface AddedRecipients {
  addedCount: number
  suppressedCount: number
  duplicateCount: number
  refusedCount: number
  /** The first of the refused lines. */
  refusals: { line: number; reason: string }[]
}

const batchCount = 1000
const manyCount = 1000

/**
 * Adds a stream of recipients to a campaign in batches; only one batch is in memory. Skips and reports lines that are not one
 * recipient or whose values make the mail too large. Skips recipients that the campaign has, so that a broken stream can be
 * repeated from its beginning. Throws `campaign_not_found`, `campaign_state`, `config_not_found`.
 */
export function createAddCampaignRecipients({
  recipients,
  estimator,
  workspaces,
  findCampaign,
  now,
  publicUrl,
}: Ports) {
  return async (scope: Scope, id: string, lines: AsyncIterable<RecipientLine>): Promise<AddedRecipients> => {
    const campaign = await findCampaign(scope, id)
    const result: AddedRecipients = {
      addedCount: 0,
      suppressedCount: 0,
      duplicateCount: 0,
      refusedCount: 0,
      refusals: [],
    }
    const from = statesBefore('addRecipients')
    if (!from.includes(campaign.status)) throw closed(campaign.status, 0)
    const budgets = await estimator.budgets(scope, campaign)
    if (budgets.length === 0) throw new AppError('config_not_found')
    const nextMailbox = createMailboxAllocator(budgets, Math.max(now().getTime(), campaign.scheduledAt?.getTime() ?? 0))
    const { postalAddress = null } = (await workspaces.find(scope)) ?? {}
    const size = createSizeCheck({ ...campaignMail(campaign, { postalAddress, publicUrl }), isHtml: true }, publicUrl)
    let batch = new Map<string, CampaignRecipient>()

    const flush = async () => {
      if (batch.size === 0) return
      const given = [...batch.values()]
      batch = new Map()
      const added = await recipients.add(scope, { id, from }, given)
      if (added === null) throw closed((await findCampaign(scope, id)).status, result.addedCount)
      result.addedCount += added.addedCount
      result.suppressedCount += added.suppressedCount
      result.duplicateCount += given.length - added.addedCount
    }
    const refuse = (line: number, reason: string) => {
      result.refusedCount += 1
      if (result.refusals.length < refusalsShownMaxCount) result.refusals.push({ line, reason })
    }

    for await (const entry of lines) {
      if ('refusal' in entry) {
        refuse(entry.line, entry.refusal)
        continue
      }
      const parsed = parseAddress(entry.email)
      if (!parsed.ok) refuse(entry.line, `The address ${addressProblems[parsed.problem]}.`)
      else if (batch.has(parsed.key)) result.duplicateCount += 1
      else {
        const { address, key } = parsed
        const problem = size.find(address, entry.context)
        if (problem !== null) {
          refuse(entry.line, problem.sentence)
          continue
        }
        batch.set(key, { address, key, context: entry.context, mailboxId: nextMailbox() })
      }
      if (batch.size >= batchCount) await flush()
    }
    await flush()
    if (result.addedCount >= manyCount) await recipients.analyze()
    return result
  }
}

function closed(status: CampaignStatus, addedCount: number): AppError {
  const added = addedCount > 0 ? ` ${addedCount} recipients were added before.` : ''
  return new AppError('campaign_state', { detail: stateSentence('addRecipients', status) + added })
}
