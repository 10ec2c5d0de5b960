import { setTimeout as sleep } from 'node:timers/promises'
import type { CampaignWithEstimate, CampaignService } from './campaign-service.ts'
import { isEnded } from '../../domain/campaigns/campaign-state.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  getCampaign: CampaignService['getCampaign']
  tickMs: () => number
}

/** Polling interval; a slow poll is followed by a longer pause, so that polling takes a tenth of the time. */
const restMs = 1000
const restPerLook = 9
/** Lifetime of a stream; clients reconnect. */
const lifeMs = 15 * 60_000

interface Watched {
  watcherCount: number
  /** The next poll, shared by all watchers of the campaign. */
  next: Promise<CampaignWithEstimate> | null
  restMs: number
}

/** Streams the progress of campaigns; all watchers of a campaign share one poll. */
export function createWatchCampaign({ getCampaign, tickMs }: Ports) {
  const watched = new Map<string, Watched>()
  const closing = new AbortController()
  const isClosing = () => closing.signal.aborted

  const look = async (entry: Watched, scope: Scope, id: string): Promise<CampaignWithEstimate> => {
    await sleep(entry.restMs, undefined, { signal: closing.signal }).catch(() => undefined) // Rejects when the server stops.
    entry.next = null
    const startedMs = tickMs()
    const campaign = await getCampaign(scope, id)
    entry.restMs = Math.max(restMs, restPerLook * (tickMs() - startedMs))
    return campaign
  }

  return {
    /**
     * The campaign now and after each change, until it has ended and no delivery is pending.
     * Throws `campaign_not_found` before the first.
     */
    watchCampaign: async (scope: Scope, id: string): Promise<AsyncGenerator<CampaignWithEstimate>> =>
      watch(scope, await getCampaign(scope, id)),

    /** Ends all streams: the server stops. */
    close: () => closing.abort(),
  }

  async function* watch(scope: Scope, first: CampaignWithEstimate): AsyncGenerator<CampaignWithEstimate> {
    const { id } = first
    const entry = watched.get(id) ?? { watcherCount: 0, next: null, restMs }
    entry.watcherCount += 1
    watched.set(id, entry)
    const endsAtMs = tickMs() + lifeMs
    try {
      yield first
      for (let last = first; !isOver(last) && tickMs() < endsAtMs && !closing.signal.aborted;) {
        entry.next ??= look(entry, scope, id)
        const now = await entry.next
        if (isClosing()) return
        if (shownOf(now) !== shownOf(last)) yield now
        last = now
      }
    } finally {
      entry.watcherCount -= 1
      if (entry.watcherCount === 0) watched.delete(id)
    }
  }
}

function isOver({ status, counts }: CampaignWithEstimate): boolean {
  return isEnded(status) && counts.queued + counts.deferred + counts.sending === 0
}

function shownOf({ status, counts, finishesAt }: CampaignWithEstimate): string {
  // An estimate shifts by milliseconds with each poll.
  return JSON.stringify([status, counts, finishesAt && Math.round(finishesAt.getTime() / 60_000)])
}
