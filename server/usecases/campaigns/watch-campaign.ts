import { setTimeout as sleep } from 'node:timers/promises'
import type { CampaignWithEstimate, CampaignService } from './campaign-service.ts'
import { isEnded } from '../../domain/campaigns/campaign-state.ts'
import type { Scope } from '../../domain/auth/scope.ts'

interface Ports {
  getCampaign: CampaignService['getCampaign']
  tickMs: () => number
}

/** Between two looks at a campaign; a look that takes long is followed by a longer rest, so that it takes a tenth of the time. */
const restMs = 1000
const restPerLook = 9
/** A stream ends after so long, and whoever still watches opens it again. */
const lifeMs = 15 * 60_000

interface Watched {
  watcherCount: number
  /** The next look; whoever watches the same campaign shares it. */
  next: Promise<CampaignWithEstimate> | null
  restMs: number
}

/** Tells how far campaigns are, to any number of watchers at the cost of one for each campaign. */
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
     * The campaign as it stands, then whenever that has changed, until it has ended and nothing moves any more.
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
  // A forecast moves by milliseconds with each look.
  return JSON.stringify([status, counts, finishesAt && Math.round(finishesAt.getTime() / 60_000)])
}
