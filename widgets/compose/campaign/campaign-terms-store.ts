import { getEmailCampaign, launchEmailCampaign, updateEmailCampaign } from '../../../client/mail/campaign.ts'
import { newIdempotencyKey } from '../../../client/core/idempotency-key.ts'
import { ApiError, errorText, type Session } from '../../../client/core/http.ts'
import { getWorkspace, updateWorkspace } from '../../../client/account/workspace.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'

/** `filling` while it is prepared; `ready` with a forecast; `broken` where a call failed and can be repeated. */
export interface CampaignTerms {
  status: 'filling' | 'ready' | 'launching' | 'broken'
  /** The server's copy: its counts are correct even if a part was sent more than once. */
  campaign: Campaign | null
  /** What a campaign carries at its foot; null while it is not known. */
  postalAddress: string | null
  /** Whether the workspace has no address yet. */
  needsAddress: boolean
  /** Local time of day, as a `datetime-local` control gives it; '' for now. */
  startsAt: string
  timezone: string
  trouble: string | null
}

/** What a dialog does with the terms of a campaign. */
export interface TermsStore {
  readonly state: CampaignTerms
  prepare: () => Promise<void>
  startAt: (startsAt: string, timezone?: string) => Promise<void>
  writeAddress: (text: string) => void
  launch: () => Promise<void>
}

/** Of a campaign of which nothing is known yet: it starts now. */
export function freshTerms(): CampaignTerms {
  return {
    status: 'filling',
    campaign: null,
    postalAddress: null,
    needsAddress: false,
    startsAt: '',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    trouble: null,
  }
}

/** What happens to a campaign's terms until it is launched, by the calls of the API. */
export function createTerms(session: Session, state: CampaignTerms) {
  /** A launch with an unknown result: its answer was lost, or it was in progress already. */
  let lost: { call: string; key: string } | null = null

  const schedule = () =>
    state.startsAt === ''
      ? { scheduled_at: null, timezone: null }
      : { scheduled_at: state.startsAt, timezone: state.timezone }

  async function attempt(work: () => Promise<void>): Promise<void> {
    state.trouble = null
    try {
      await work()
    } catch (error) {
      Object.assign(state, { status: 'broken', trouble: errorText(error) })
    }
  }

  /** Repeated after an answer was lost, it is the same call to the server, which does it once. */
  async function launchOnce(id: string): Promise<Campaign> {
    const call = JSON.stringify([id, schedule()])
    const key = lost?.call === call ? lost.key : newIdempotencyKey()
    try {
      const launched = await launchEmailCampaign(session, id, schedule(), { headers: { 'Idempotency-Key': key } })
      lost = null
      return launched
    } catch (error) {
      const isUnanswered = error instanceof ApiError && (error.code === 'network' || error.status === 409)
      lost = isUnanswered ? { call, key } : null
      throw error
    }
  }

  return {
    /** Does it, or keeps why not. */
    attempt,
    /** Whether it may have been launched. */
    isUnsure: () => lost !== null,
    /** Finds out whether the workspace has an address; once. */
    async askAddress(): Promise<void> {
      if (state.postalAddress !== null) return
      const { postal_address: address } = await getWorkspace(session)
      Object.assign(state, { postalAddress: address ?? '', needsAddress: !address?.trim() })
    },
    /** Foretells it, by when it is to start. */
    async foretell(id: string): Promise<void> {
      const known = await getEmailCampaign(session, id)
      const isOther = known.status === 'draft' && (state.startsAt !== '' || known.scheduled_at !== null)
      state.campaign = isOther ? await updateEmailCampaign(session, id, schedule()) : known
    },
    /** Sets the start time, and updates the estimate. */
    startAt: (startsAt: string, timezone = state.timezone) =>
      attempt(async () => {
        Object.assign(state, { startsAt, timezone })
        if (state.campaign) state.campaign = await updateEmailCampaign(session, state.campaign.id, schedule())
        state.status = 'ready'
      }),
    writeAddress: (text: string) => {
      state.postalAddress = text
    },
    /** Keeps the address where there was none, and launches it. */
    launch: (onLaunched: (launched: Campaign) => void) =>
      attempt(async () => {
        if (state.campaign === null || state.status === 'launching') return
        state.status = 'launching'
        if (state.needsAddress) await updateWorkspace(session, { postal_address: state.postalAddress ?? '' })
        state.needsAddress = false
        onLaunched(await launchOnce(state.campaign.id))
      }),
  }
}
