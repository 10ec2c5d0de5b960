import type { IdPageQuery, Listed } from '../../domain/core/page.ts'
import { AppError } from '../../../contract/core/errors.ts'
import { unfilledShownMaxCount } from '../../../contract/mail/campaign.limits.ts'
import { isEnded, stateSentence, type CampaignAction } from '../../domain/campaigns/campaign-state.ts'
import type {
  CampaignCounts,
  CampaignDeliveryRow,
  CampaignPage,
  CampaignRow,
  RecipientFilter,
} from '../../domain/campaigns/campaign.ts'
import { unfilledOf } from '../../domain/campaigns/campaign-mail.ts'
import { isRowId } from '../../domain/core/id.ts'
import type { CompletionEstimator } from '../quota/estimate-completion.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { CampaignStore } from '../../store/campaigns/campaign.ts'
import type { RecipientList } from '../../store/campaigns/recipient-list.ts'
import type { CampaignRecipients } from '../../store/campaigns/campaign-recipient.ts'

interface Ports {
  campaigns: Pick<CampaignStore, 'list' | 'find'>
  recipients: Pick<CampaignRecipients, 'countLacking'>
  recipientList: Pick<RecipientList, 'list' | 'all'>
  estimator: Pick<CompletionEstimator, 'campaigns'>
}

/** A merge variable that only recipients' contexts fill, and the count of recipients without it. */
export interface UnfilledVariable {
  name: string
  recipientCount: number
}

/** A campaign with the estimated time of its last mail; null once it has ended, and without recipients. */
export type CampaignWithEstimate = CampaignRow & { finishesAt: Date | null }

/** A page of the recipients of a campaign. */
export type RecipientPage = RecipientFilter & IdPageQuery

export type CampaignService = ReturnType<typeof createCampaignService>

const triesMaxCount = 20

/**
 * Repeats `attempt`, a read-modify-write of a campaign, while concurrent edits conflict with it.
 * Throws `campaign_state` after 20 conflicts.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | 'changed'>): Promise<T> {
  for (let tries = 0; tries < triesMaxCount; tries++) {
    const outcome = await attempt()
    if (outcome !== 'changed') return outcome
  }
  throw new AppError('campaign_state', { detail: 'The campaign was changed at the same time; try again.' })
}

/** Throws `revision_conflict` with the current revision, where a call is based on another one. */
export function checkRevision({ revision }: Pick<CampaignRow, 'revision'>, expected: number | null): void {
  if (expected !== null && expected !== revision) throw new AppError('revision_conflict', { extra: { revision } })
}

/** Throws `campaign_state`: the state of the campaign refuses the action. */
export function refuseAction(action: CampaignAction, { status }: Pick<CampaignRow, 'status'>): never {
  throw new AppError('campaign_state', { detail: stateSentence(action, status) })
}

/** Reads the campaigns of a workspace. Campaigns of other workspaces are unknown. */
export function createCampaignService({ campaigns, recipients, recipientList, estimator }: Ports) {
  const withEstimates = async (scope: Scope, rows: readonly CampaignRow[]): Promise<CampaignWithEstimate[]> => {
    const ends = await estimator.campaigns(scope, rows)
    return rows.map((row) => ({ ...row, finishesAt: ends.get(row.id) ?? null }))
  }

  /** Throws `campaign_not_found`. */
  const findCampaign = async (scope: Scope, id: string): Promise<CampaignRow> => {
    const campaign = isRowId(id) ? await campaigns.find(scope, id) : null
    if (campaign === null) throw new AppError('campaign_not_found')
    return campaign
  }

  /** Throws `campaign_not_found`. */
  const getCampaign = async (scope: Scope, id: string): Promise<CampaignWithEstimate> => {
    const campaign = await findCampaign(scope, id)
    const ends = await estimator.campaigns(scope, [campaign])
    return { ...campaign, finishesAt: ends.get(id) ?? null }
  }

  return {
    findCampaign,
    getCampaign,

    /** Throws `campaign_not_found`, and `revision_conflict` where it has another revision than this one. */
    async requireRevision(scope: Scope, id: string, revision: number | null): Promise<void> {
      checkRevision(await findCampaign(scope, id), revision)
    },

    /** The first merge variables that would be empty; none for an ended campaign. */
    async listUnfilledVariables(scope: Scope, campaign: CampaignRow): Promise<UnfilledVariable[]> {
      const names = isEnded(campaign.status) ? [] : unfilledOf(campaign).slice(0, unfilledShownMaxCount)
      if (names.length === 0) return []
      const counts = await recipients.countLacking(scope, campaign.id, names)
      return names.map((name) => ({ name, recipientCount: counts.get(name) ?? 0 }))
    },

    /** Its recipients with their delivery states. Throws `campaign_not_found` and `search_too_broad`. */
    async listCampaignRecipients(
      scope: Scope,
      id: string,
      page: RecipientPage,
    ): Promise<Listed<CampaignDeliveryRow, number>> {
      const { counts } = await findCampaign(scope, id)
      const listed = await recipientList.list(scope, id, { ...page, knownTotal: knownTotalOf(page, counts) })
      if (listed === 'too_broad') throw tooBroad()
      return listed
    },

    /** All that match, each once. Throws `campaign_not_found`. */
    async exportCampaignRecipients(
      scope: Scope,
      id: string,
      filter: RecipientFilter,
    ): Promise<AsyncGenerator<CampaignDeliveryRow>> {
      await findCampaign(scope, id)
      return recipientList.all(scope, id, filter)
    },

    /** Newest first. */
    async listCampaigns(scope: Scope, page: CampaignPage): Promise<Listed<CampaignWithEstimate>> {
      const { rows, ...rest } = await campaigns.list(scope, page)
      return { ...rest, rows: await withEstimates(scope, rows) }
    },
  }
}

/** How many recipients match, where the counts of the campaign tell. */
function knownTotalOf(
  { state, search, act, linkNo, bounceReason, domain, mailboxId }: RecipientFilter,
  counts: CampaignCounts,
) {
  const isNarrowed = [search, act, linkNo, bounceReason, domain, mailboxId].some((part) => part !== null)
  if (isNarrowed) return null
  return state === null ? Object.values(counts).reduce((sum, count) => sum + count, 0) : counts[state]
}

function tooBroad(): AppError {
  const msg = 'takes too long; search for a whole address, or add a filter'
  return new AppError('search_too_broad', { items: [{ loc: ['query', 'search'], msg, type: 'search_too_broad' }] })
}
