import { proxy, snapshot } from 'valtio/vanilla'
import {
  addCampaignRecipients,
  createEmailCampaign,
  deleteEmailCampaign,
  getEmailCampaign,
  launchEmailCampaign,
  updateEmailCampaign,
} from '../../client/campaign.ts'
import { errorText } from '../../client/http.ts'
import { getWorkspace, updateWorkspace } from '../../client/workspace.ts'
import type { Campaign } from '../../contract/campaign.ts'
import { campaignNameMaxChars } from '../../contract/limits.ts'
import { peopleOf } from '../lib/people.ts'
import { campaignLaunched } from '../lib/send-messages.ts'
import type { ComposeStore } from './composer.ts'
import { finish } from './launch-store.ts'

/** `filling` while recipients are on their way; `ready` with a forecast; `broken` where a call failed and can be repeated. */
export interface CampaignState {
  status: 'filling' | 'ready' | 'launching' | 'broken'
  /** Mailboxes that share it. */
  configIds: string[]
  filledCount: number
  totalCount: number
  /** Entries of the list that name somebody who stands in it before. */
  repeatedCount: number
  refusedCount: number
  /** As the server has it: how many will get it stands in its counts, however often a part was sent. */
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

/** Recipients of one call; the connection may break between two. */
const partCount = 2000

/** Makes a campaign of what is written, fills it, and launches it when told to. Whoever goes back leaves no campaign. */
export function createCampaignStore(composer: ComposeStore) {
  const { session } = composer
  const draft = snapshot(composer.state.draft)
  const recipients = peopleOf(draft.recipients)
  const state = proxy<CampaignState>({
    status: 'filling',
    configIds: [composer.state.senderId],
    filledCount: 0,
    totalCount: recipients.length,
    repeatedCount: draft.recipients.filter(({ problem }) => problem === null).length - recipients.length,
    refusedCount: 0,
    campaign: null,
    postalAddress: null,
    needsAddress: false,
    startsAt: '',
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    trouble: null,
  })
  let isOver = false

  async function attempt(work: () => Promise<void>): Promise<void> {
    state.trouble = null
    try {
      await work()
    } catch (error) {
      Object.assign(state, { status: 'broken', trouble: errorText(error) })
    }
  }

  async function prepare(): Promise<void> {
    state.status = 'filling'
    if (state.postalAddress === null) {
      const { postal_address: address } = await getWorkspace(session)
      Object.assign(state, { postalAddress: address ?? '', needsAddress: !address?.trim() })
    }
    state.campaign ??= await createEmailCampaign(session, {
      name: draft.subject.slice(0, campaignNameMaxChars),
      subject: draft.subject,
      body: draft.messageBody,
      context: Object.fromEntries(Object.entries(draft.context).filter(([, value]) => value !== '')),
      config_ids: [...state.configIds],
    })
    const { id } = state.campaign
    while (state.filledCount < recipients.length && !isOver) {
      const part = recipients.slice(state.filledCount, state.filledCount + partCount)
      const lines = part.map(({ text, context }) => JSON.stringify(context ? { email: text, context } : text))
      state.refusedCount += (await addCampaignRecipients(session, id, lines.join('\n'))).refused
      state.filledCount += part.length
    }
    if (isOver) return
    state.campaign = await getEmailCampaign(session, id)
    state.status = 'ready'
  }

  /** Forgets the campaign that is not launched; one that cannot be reached stays a draft, from which nothing leaves. */
  async function discard(): Promise<void> {
    const { campaign } = state
    Object.assign(state, { campaign: null, refusedCount: 0, filledCount: 0 })
    if (campaign) await deleteEmailCampaign(session, campaign.id).catch(() => undefined)
  }

  const schedule = () =>
    state.startsAt === ''
      ? { scheduled_at: null, timezone: null }
      : { scheduled_at: state.startsAt, timezone: state.timezone }

  return {
    state,
    recipientsCount: recipients.length,
    prepare: () => attempt(prepare),
    /** Each recipient keeps its sender, so that other mailboxes need another campaign. */
    share: (configId: string, isShared: boolean) =>
      attempt(async () => {
        const others = state.configIds.filter((id) => id !== configId)
        state.configIds = isShared ? [...others, configId] : others
        await discard()
        await prepare()
      }),
    /** Sets when it starts, and foretells anew. */
    startAt: (startsAt: string, timezone = state.timezone) =>
      attempt(async () => {
        Object.assign(state, { startsAt, timezone })
        if (state.campaign) state.campaign = await updateEmailCampaign(session, state.campaign.id, schedule())
        state.status = 'ready'
      }),
    writeAddress(text: string) {
      state.postalAddress = text
    },
    launch: () =>
      attempt(async () => {
        const { campaign } = state
        if (campaign === null) return
        state.status = 'launching'
        if (state.needsAddress) await updateWorkspace(session, { postal_address: state.postalAddress ?? '' })
        state.needsAddress = false
        const { id, counts } = await launchEmailCampaign(session, campaign.id, schedule())
        isOver = true
        const { total: accepted, suppressed } = counts
        const sent = { message: `${(accepted - suppressed).toLocaleString()} recipients`, suppressed, accepted }
        finish(composer, { kind: 'campaign', id }, sent, campaignLaunched)
      }),
    /** Back to the message; nothing of it is left but what was launched. */
    close() {
      if (isOver) return
      isOver = true
      void discard()
      if (composer.state.status === 'campaign') composer.state.status = 'editing'
    },
  }
}

export type CampaignStore = ReturnType<typeof createCampaignStore>
