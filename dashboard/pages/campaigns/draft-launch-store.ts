import { proxy } from 'valtio/vanilla'
import { getEmailCampaign } from '../../../client/mail/campaign.ts'
import type { Session } from '../../../client/core/http.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import { localTime } from '../../../widgets/compose/schedule/local-time.ts'
import { createTerms, freshTerms, type TermsStore } from '../../../widgets/compose/campaign/campaign-terms-store.ts'

/** Launches a saved campaign with its stored settings; cancelling leaves it a draft. */
export function createDraftLaunch(
  session: Session,
  id: string,
  onLaunched: (launched: Campaign) => void,
): TermsStore & { isUnsure: () => boolean } {
  const state = proxy(freshTerms())
  const terms = createTerms(session, state)
  return {
    state,
    prepare: () =>
      terms.attempt(async () => {
        state.status = 'filling'
        await terms.askWorkspace()
        if (state.campaign === null) {
          state.campaign = await getEmailCampaign(session, id)
          const { list_ids: lists, segment_ids: segments } = state.campaign
          Object.assign(state, startOf(state.campaign), { hasAudience: lists.length + segments.length > 0 })
        } else await terms.estimate(id)
        state.status = 'ready'
      }),
    startAt: terms.startAt,
    writeAddress: terms.writeAddress,
    track: terms.track,
    allowTracking: terms.allowTracking,
    setOptions: terms.setOptions,
    saveOptions: terms.saveOptions,
    launch: () => terms.launch(onLaunched),
    isUnsure: terms.isUnsure,
  }
}

/** When it was to start, as its own zone's clocks show it; now where that is past. */
function startOf({ scheduled_at: at, timezone }: Campaign): { startsAt: string; timezone?: string } {
  if (at === null || Date.parse(at) <= Date.now()) return { startsAt: '' }
  const timeZone = timezone ?? 'UTC'
  return { startsAt: localTime(at, timeZone), timezone: timeZone }
}
