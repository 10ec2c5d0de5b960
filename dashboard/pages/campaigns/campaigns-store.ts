import { proxy } from 'valtio/vanilla'
import {
  cancelEmailCampaign,
  deleteEmailCampaign,
  listEmailCampaigns,
  pauseEmailCampaign,
  resumeEmailCampaign,
  retryEmailCampaign,
} from '../../../client/mail/campaign.ts'
import { errorText, type Session } from '../../../client/core/http.ts'
import { logFailure } from '../../../client/core/log-failure.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { createPagedStore } from '../../kit/paged-store.ts'
import { statusLabels, type Shown } from './campaign-labels.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

export type CampaignAction = 'launch' | 'pause' | 'resume' | 'cancel' | 'retry' | 'delete'
/** Actions with a single call; a launch has a dialog. */
type CalledAct = Exclude<CampaignAction, 'launch'>

export interface CampaignFilter {
  search: string
  /** '' for those in any state. */
  status: Campaign['status'] | ''
  /** '' for the newest first; a figure, or with `_asc` its fewest first. */
  sort: SortName | ''
}

/** Figures that campaigns are sorted by. */
export const sortedFigures = ['sent', 'opened', 'clicked', 'replied', 'bounced', 'unsubscribed'] as const
export type SortedFigure = (typeof sortedFigures)[number]
type SortName = SortedFigure | `${SortedFigure}_asc`

interface ActsState {
  /** The campaigns that are acted on at this moment. */
  busyIds: string[]
  /** The action that awaits confirmation. */
  asked: { act: 'launch' | 'cancel' | 'delete'; campaign: Campaign } | null
  /** Ids of the campaigns to compare. */
  chosen: string[]
}

/** Refresh intervals in ms: with queued mail, and without. */
const movingMs = 2000
const restingMs = 20_000

/** What each state allows; a deletion of what still moves is a cancellation first. */
export function allowedActions({
  status,
  counts,
  list_ids: listIds,
  segment_ids: segmentIds,
}: Pick<Shown, 'status' | 'counts' | 'list_ids' | 'segment_ids'>): CampaignAction[] {
  const canLaunch = counts.total > 0 || listIds.length + segmentIds.length > 0
  const isMoving = status === 'sending' || status === 'scheduled' || status === 'preparing'
  const canRetry = counts.failed > 0 && ['sending', 'paused', 'finished'].includes(status)
  return [
    ...(status === 'draft' && canLaunch ? (['launch'] as const) : []),
    ...(canRetry ? (['retry'] as const) : []),
    ...(isMoving ? (['pause'] as const) : []),
    ...(status === 'paused' ? (['resume'] as const) : []),
    ...(isMoving || status === 'paused' ? (['cancel'] as const) : ['delete' as const]),
  ]
}

function sortOf(name: CampaignFilter['sort']) {
  if (name === '') return {}
  const figure = sortedFigures.find((one) => name.startsWith(one)) ?? 'sent'
  return { sort: figure, order: name.endsWith('_asc') ? ('asc' as const) : ('desc' as const) }
}

/** The campaigns of the workspace, newest first, and what can be done with each. */
export function createCampaignsStore(session: Session, notify: Notify) {
  const list = createPagedStore<Campaign, CampaignFilter>({
    filter: {
      search: null,
      status: Object.keys(statusLabels),
      sort: sortedFigures.flatMap((name) => [name, `${name}_asc`]),
    },
    fetch: ({ search, status, sort }, page, options) => {
      const wanted = { ...(search.trim() && { search: search.trim() }), ...(status && { status }), ...sortOf(sort) }
      return listEmailCampaigns(session, { ...page, ...wanted, with_body: false }, options)
    },
    restMs: (rows) =>
      rows.some(({ status }) => status === 'sending' || status === 'preparing') ? movingMs : restingMs,
  })
  const state = proxy<ActsState>({ busyIds: [], asked: null, chosen: [] })

  const calls: Record<CalledAct, (id: string) => Promise<string | null>> = {
    pause: async (id) => (await pauseEmailCampaign(session, id), pageLanguage.t('Campaign paused')),
    resume: async (id) => (await resumeEmailCampaign(session, id), pageLanguage.t('Campaign resumed')),
    cancel: async (id) => (await cancelEmailCampaign(session, id), pageLanguage.t('Campaign cancelled')),
    delete: async (id) => (await deleteEmailCampaign(session, id), pageLanguage.t('Campaign deleted')),
    retry: async (id) => (await retryEmailCampaign(session, id)).message,
  }

  /** Runs the action and shows its result. Returns whether it succeeded. One action of a campaign at a time. */
  async function act(name: CalledAct, id: string): Promise<boolean> {
    if (state.busyIds.includes(id)) return false
    state.busyIds.push(id)
    let isDone = false
    try {
      const text = await calls[name](id)
      if (text !== null) notify({ kind: 'success', text })
      isDone = true
    } catch (error) {
      if (name === 'delete') logFailure('deleting the campaign', error)
      const text = errorText(error)
      if (text !== null) notify({ kind: 'error', text })
    }
    await list.load()
    state.busyIds = state.busyIds.filter((one) => one !== id)
    return isDone
  }

  return {
    list,
    state,
    act,
    /** Adds a campaign to those to compare, or takes it out. */
    choose(id: string, isChosen: boolean) {
      state.chosen = isChosen ? [...state.chosen, id] : state.chosen.filter((one) => one !== id)
    },
    clearChosen() {
      state.chosen = []
    },
    /** Sorts by a figure: the most first, at the second call the fewest, at the third by age. */
    sortBy(figure: SortedFigure): Promise<void> {
      const { sort } = list.state.filter
      return list.find({ sort: sort === figure ? `${figure}_asc` : sort === `${figure}_asc` ? '' : figure })
    },
    ask(asked: ActsState['asked']) {
      state.asked = asked
    },
  }
}

export type CampaignsStore = ReturnType<typeof createCampaignsStore>
