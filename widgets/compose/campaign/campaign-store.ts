import { proxy, snapshot } from 'valtio/vanilla'
import {
  addCampaignRecipients,
  createEmailCampaign,
  deleteEmailCampaign,
  estimateEmailCampaign,
} from '../../../client/mail/campaign.ts'
import { audienceRecipientsMaxCount } from '../../../contract/audience/campaign-audience.limits.ts'
import { newIdempotencyKey } from '../../../client/core/idempotency-key.ts'
import { campaignNameMaxChars } from '../../../contract/mail/campaign.limits.ts'
import { message } from '../../lib/messages/message.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import { campaignLaunched, launchUnsure } from '../../lib/campaign-messages.ts'
import { createTerms, freshTerms, type CampaignTerms } from './campaign-terms-store.ts'
import { audienceRequest } from '../audience/audience-request.ts'
import type { ComposeStore } from '../compose-types.ts'
import { bodyOf } from '../send/body-of.ts'
import { inAnHour } from '../schedule/local-time.ts'
import { hold } from '../send/held-store.ts'
import { attachmentsOf, fieldsOf, finish, kindOf, undoOf } from '../send/launch-store.ts'

/** A campaign that is to be made of what is written; nothing of it exists before it is launched. */
export interface CampaignState extends CampaignTerms {
  /** Mailboxes that share it. */
  mailboxIds: string[]
  /** Recipients that the server has, while it is launched. */
  filledCount: number
  totalCount: number
  /** Duplicate entries of the list. */
  repeatedCount: number
  refusedCount: number
  forecast: { count: number; suppressed: number; finishesAt: string | null } | null
  /** Why it cannot be launched. */
  problems: readonly string[]
}

/** Recipients of one call; the connection may break between two. */
const partCount = 2000

/** Those whose dialog is open: drawn again after a fault, it goes on with its own. */
const openStores = new WeakMap<ComposeStore, CampaignStore>()

/** The store of the composer's open campaign dialog. */
export function campaignStoreOf(composer: ComposeStore): CampaignStore {
  const store = openStores.get(composer) ?? createCampaignStore(composer)
  openStores.set(composer, store)
  return store
}

/** Estimates a launch of the draft. On confirmation creates a campaign from it, adds its recipients and launches it. */
function createCampaignStore(composer: ComposeStore) {
  const { session } = composer
  const draft = snapshot(composer.state.draft)
  const recipients = uniqueRecipients(draft.recipients)
  const state = proxy<CampaignState>({
    ...freshTerms(),
    hasAudience: draft.audience?.some(({ isExcluded }) => !isExcluded) ?? false,
    ...(composer.state.isLater && { startsAt: inAnHour() }),
    mailboxIds: [composer.state.senderId],
    filledCount: 0,
    totalCount: recipients.length,
    repeatedCount: draft.recipients.filter(({ problem }) => problem === null).length - recipients.length,
    refusedCount: 0,
    forecast: null,
    problems: [],
  })
  const undo = undoOf(composer)
  const terms = createTerms(session, state, undo)
  let isOver = false
  /** Made twice under one key, it is one campaign. */
  let makeKey = newIdempotencyKey()

  /** Who gets it and when the last mail leaves; writes nothing. */
  async function estimate(): Promise<void> {
    const texts = recipients.slice(0, audienceRecipientsMaxCount).map(({ text }) => text)
    const people = draft.audience?.[0] ? (composer.state.audience?.counted?.count ?? 0) : 0
    const { count, suppressed, finishes_at, problems } = await estimateEmailCampaign(session, {
      config_ids: [...state.mailboxIds],
      recipients: people > 0 ? [] : texts,
      recipient_count: people || recipients.length - texts.length,
      ...terms.schedule(),
    })
    state.forecast = { count, suppressed, finishesAt: finishes_at }
    state.problems = problems
      .filter(({ code }) => code !== 'postal_address_missing' && !(code === 'campaign_empty' && draft.audience?.[0]))
      .map(({ message }) => message)
  }

  async function prepare(): Promise<void> {
    state.status = 'filling'
    await terms.askWorkspace()
    await estimate()
    state.status = 'ready'
  }

  /** Creates the campaign and adds its recipients; continues where an earlier attempt ended. */
  async function make(): Promise<void> {
    state.campaign ??= await createEmailCampaign(
      session,
      {
        name: draft.subject.slice(0, campaignNameMaxChars),
        subject: draft.subject,
        ...(await bodyOf(draft)),
        ...(await fieldsOf(composer, draft)),
        context: Object.fromEntries(Object.entries(draft.context).filter(([, value]) => value !== '')),
        config_ids: [...state.mailboxIds],
        staged: true,
        ...(state.tracking && { tracking: state.tracking }),
        ...kindOf(draft, draft.audience?.[0] ? Infinity : recipients.length),
        ...attachmentsOf(draft),
        ...(draft.audience?.[0] && audienceRequest(draft.audience)),
      },
      { headers: { 'Idempotency-Key': makeKey } },
    )
    const { id } = state.campaign
    while (state.filledCount < recipients.length && !isOver) {
      const part = recipients.slice(state.filledCount, state.filledCount + partCount)
      const lines = part.map(({ text, context }) => JSON.stringify(context ? { email: text, context } : text))
      state.refusedCount += (await addCampaignRecipients(session, id, lines.join('\n'))).refused
      state.filledCount += part.length
    }
  }

  /** Forgets the campaign that is not launched; one that cannot be reached stays a draft, from which nothing leaves. */
  async function discard(): Promise<void> {
    const { campaign } = state
    Object.assign(state, { campaign: null, refusedCount: 0, filledCount: 0 })
    makeKey = newIdempotencyKey()
    if (campaign) await deleteEmailCampaign(session, campaign.id).catch(() => undefined)
  }

  const end = () => {
    isOver = true
    openStores.delete(composer)
  }

  return {
    state,
    prepare: () => terms.attempt(prepare),
    /** Each recipient keeps its sender, so that other mailboxes need another campaign. */
    share: (mailboxId: string, isShared: boolean) =>
      terms.attempt(async () => {
        if (terms.isUnsure()) throw new Error(launchUnsure)
        const others = state.mailboxIds.filter((id) => id !== mailboxId)
        state.mailboxIds = isShared ? [...others, mailboxId] : others
        await discard()
        await prepare()
      }),
    startAt: (startsAt: string, timezone = state.timezone) =>
      terms.attempt(async () => {
        Object.assign(state, { startsAt, timezone })
        await estimate()
        state.status = 'ready'
      }),
    writeAddress: terms.writeAddress,
    track: terms.track,
    allowTracking: terms.allowTracking,
    setOptions: terms.setOptions,
    saveOptions: terms.saveOptions,
    launch: () =>
      terms.launch(({ id, counts, undo_until: isHeld }) => {
        end()
        const { suppressed } = counts
        const people = draft.audience?.[0] ? composer.state.audience?.counted : null
        const accepted = people ? people.count + suppressed : counts.total
        const sent = {
          ...message('{count} recipient|{count} recipients', { count: accepted - suppressed }),
          suppressed,
          accepted,
        }
        const before = { draft: { ...composer.state.draft }, senderId: composer.state.senderId }
        const launched = { kind: 'campaign', id } as const
        finish(composer, launched, sent, campaignLaunched)
        if (isHeld && undo.undo_seconds) hold(composer, launched, before, undo.undo_seconds)
      }, make),
    /** Back to the message; nothing of it is left but what was launched, or may have been. */
    close() {
      if (isOver) return
      end()
      if (terms.isUnsure()) composer.notify({ kind: 'error', text: launchUnsure })
      else void discard()
      if (composer.state.status === 'campaign') composer.state.status = 'editing'
    },
  }
}

export type CampaignStore = ReturnType<typeof createCampaignStore>
