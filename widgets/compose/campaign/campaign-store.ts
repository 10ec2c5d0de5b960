import { proxy, snapshot } from 'valtio/vanilla'
import { addCampaignRecipients, createEmailCampaign, deleteEmailCampaign } from '../../../client/mail/campaign.ts'
import { newIdempotencyKey } from '../../../client/core/idempotency-key.ts'
import { campaignNameMaxChars } from '../../../contract/mail/campaign.limits.ts'
import { message } from '../../lib/messages/message.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import { campaignLaunched, launchUnsure } from '../../lib/campaign-messages.ts'
import { createTerms, freshTerms, type CampaignTerms } from './campaign-terms-store.ts'
import { audienceRequest } from '../audience/audience-request.ts'
import type { ComposeStore } from '../compose-types.ts'
import { finish } from '../send/launch-store.ts'

/** A campaign that is made of what is written; `filling` while its recipients are on their way. */
export interface CampaignState extends CampaignTerms {
  /** Mailboxes that share it. */
  mailboxIds: string[]
  filledCount: number
  totalCount: number
  /** Duplicate entries of the list. */
  repeatedCount: number
  refusedCount: number
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

/** Creates a campaign from the draft, adds its recipients, and launches it on confirmation. Cancelling deletes the campaign. */
function createCampaignStore(composer: ComposeStore) {
  const { session } = composer
  const draft = snapshot(composer.state.draft)
  const recipients = uniqueRecipients(draft.recipients)
  const state = proxy<CampaignState>({
    ...freshTerms(),
    mailboxIds: [composer.state.senderId],
    filledCount: 0,
    totalCount: recipients.length,
    repeatedCount: draft.recipients.filter(({ problem }) => problem === null).length - recipients.length,
    refusedCount: 0,
  })
  const terms = createTerms(session, state)
  let isOver = false
  /** Made twice under one key, it is one campaign. */
  let makeKey = newIdempotencyKey()

  async function prepare(): Promise<void> {
    state.status = 'filling'
    await terms.askAddress()
    state.campaign ??= await createEmailCampaign(
      session,
      {
        name: draft.subject.slice(0, campaignNameMaxChars),
        subject: draft.subject,
        body: draft.messageBody,
        context: Object.fromEntries(Object.entries(draft.context).filter(([, value]) => value !== '')),
        config_ids: [...state.mailboxIds],
        staged: true,
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
    if (isOver) return
    await terms.foretell(id)
    state.status = 'ready'
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
    startAt: terms.startAt,
    writeAddress: terms.writeAddress,
    launch: () =>
      terms.launch(({ id, counts }) => {
        end()
        const { suppressed } = counts
        const people = draft.audience?.[0] ? composer.state.audience?.counted : null
        const accepted = people ? people.count + suppressed : counts.total
        const sent = {
          ...message('{count} recipient|{count} recipients', { count: accepted - suppressed }),
          suppressed,
          accepted,
        }
        finish(composer, { kind: 'campaign', id }, sent, campaignLaunched)
      }),
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
