import { getEmailCampaign, launchEmailCampaign, updateEmailCampaign } from '../../../client/mail/campaign.ts'
import { newIdempotencyKey } from '../../../client/core/idempotency-key.ts'
import { ApiError, errorText, type Session } from '../../../client/core/http.ts'
import { getWorkspace, updateWorkspace } from '../../../client/account/workspace.ts'
import type { Campaign, CampaignChanges } from '../../../contract/mail/campaign.ts'
import { trackingModes } from '../../../contract/results/tracking.limits.ts'
import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'

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
  /** What the workspace records at most; null while it is not known. */
  workspaceTracking: TrackingMode | null
  /** What was chosen for this campaign; null: as the campaign or the workspace has it. */
  tracking: TrackingMode | null
  /** Whether contacts of lists or segments get it. */
  hasAudience: boolean
  /** What was chosen for this campaign; without it as the campaign has it. Replaced as a whole. */
  options: LaunchOptions
  trouble: string | null
}

/** UTM parameters of its links, and whether people who want one campaign a week get it in any week. */
export type LaunchOptions = Pick<CampaignChanges, 'utm' | 'frequency_exempt'>

/** What a dialog does with the terms of a campaign. */
export interface TermsStore {
  readonly state: CampaignTerms
  prepare: () => Promise<void>
  startAt: (startsAt: string, timezone?: string) => Promise<void>
  writeAddress: (text: string) => void
  /** Chooses what is recorded of its opens and clicks. */
  track: (mode: TrackingMode) => Promise<void>
  /** Lets campaigns of the workspace record who opened and clicked. */
  allowTracking: () => Promise<void>
  /** Writes options; `saveOptions` or the launch saves them. */
  setOptions: (changes: LaunchOptions) => void
  /** Saves the options of a campaign that exists. */
  saveOptions: () => Promise<void>
  launch: () => Promise<void>
}

/** What is recorded of a campaign by its choice and by the workspace: the stricter of both. */
export function trackingOf({
  workspaceTracking,
  tracking,
  campaign,
}: {
  workspaceTracking: TrackingMode | null
  tracking: TrackingMode | null
  campaign: { tracking: TrackingMode | null } | null
}): TrackingMode {
  const most = workspaceTracking ?? 'off'
  const chosen = tracking ?? campaign?.tracking ?? most
  return trackingModes[Math.min(trackingModes.indexOf(most), trackingModes.indexOf(chosen))] ?? 'off'
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
    workspaceTracking: null,
    tracking: null,
    hasAudience: false,
    options: {},
    trouble: null,
  }
}

/** What happens to a campaign's terms until it is launched, by the calls of the API. */
export function createTerms(session: Session, state: CampaignTerms, undo: { undo_seconds?: number } = {}) {
  /** A launch with an unknown result: its answer was lost, or it was in progress already. */
  let lost: { call: string; key: string } | null = null

  /** What was saved last: in which campaign, and the options. */
  let saved: [id: string, options: LaunchOptions] = ['', state.options]
  let saving = Promise.resolve()

  async function saveNow(): Promise<void> {
    const { campaign, options } = state
    const isSaved = campaign?.id === saved[0] && options === saved[1]
    if (campaign === null || isSaved || Object.keys(options).length === 0) return
    state.campaign = await updateEmailCampaign(session, campaign.id, options)
    saved = [campaign.id, options]
  }

  /** One call after the other, so that none arrives after the launch. */
  const saveOptions = () => (saving = saving.catch(() => undefined).then(saveNow))

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
      const launched = await launchEmailCampaign(
        session,
        id,
        { ...schedule(), ...undo },
        { headers: { 'Idempotency-Key': key } },
      )
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
    /** Finds out whether the workspace has an address, and what it records; once. */
    async askWorkspace(): Promise<void> {
      if (state.postalAddress !== null) return
      const { postal_address: address, tracking } = await getWorkspace(session)
      Object.assign(state, {
        postalAddress: address ?? '',
        needsAddress: !address?.trim(),
        workspaceTracking: tracking,
      })
    },
    /** Estimates when the last mail leaves, from the start time. */
    async estimate(id: string): Promise<void> {
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
    track: (tracking: TrackingMode) =>
      attempt(async () => {
        state.tracking = tracking
        if (state.campaign) state.campaign = await updateEmailCampaign(session, state.campaign.id, { tracking })
        state.status = 'ready'
      }),
    allowTracking: () =>
      attempt(async () => {
        const changed = await updateWorkspace(session, { tracking: 'identified' })
        state.workspaceTracking = changed.tracking
        state.status = 'ready'
      }),
    setOptions: (changes: LaunchOptions) => {
      state.options = { ...state.options, ...changes }
    },
    saveOptions: () => attempt(saveOptions),
    schedule,
    /** Keeps the address where there was none, and launches it; `make`: what has to be done before. */
    launch: (onLaunched: (launched: Campaign) => void, make: () => Promise<void> = () => Promise.resolve()) =>
      attempt(async () => {
        if (state.status === 'launching') return
        state.status = 'launching'
        if (state.needsAddress) await updateWorkspace(session, { postal_address: state.postalAddress ?? '' })
        state.needsAddress = false
        await make()
        if (state.campaign === null) return
        await saveOptions()
        onLaunched(await launchOnce(state.campaign.id))
      }),
  }
}
