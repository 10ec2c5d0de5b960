import { proxy, ref } from 'valtio/vanilla'
import { ApiError, errorText, type Session } from '../../../client/core/http.ts'
import { getMessage, watchMessage } from '../../../client/mail/message.ts'
import type { Campaign } from '../../../contract/mail/campaign.ts'
import type { CampaignDelivery } from '../../../contract/mail/campaign-recipient.ts'
import type { DeliveryState, MessageProgress } from '../../../contract/mail/message.ts'
import type { Launched } from '../compose-state.ts'
import type { Figures } from './follow-figures.ts'

export type Counts = Partial<Record<DeliveryState, number>>

/** The calls of campaigns: fetched with the first that is followed. */
const campaigns = () => import('../../../client/mail/campaign.ts')

/** Fetched with the first message whose figures the session may read. */
const figuresModule = () => import('./follow-figures.ts')

/** `following` while a recipient's state can still change; `gone` where it was deleted. */
export interface ProgressState {
  status: 'following' | 'settled' | 'gone'
  subject: string | null
  counts: Counts
  /** A message's recipients all; a campaign's first ones in the state that is shown. */
  rows: readonly CampaignDelivery[]
  /** Only recipients in this state are shown; null: all. */
  shown: DeliveryState | null
  campaign: { status: Campaign['status']; scheduledAt: string | null; finishesAt: string | null } | null
  /** Why the last request failed; it is repeated automatically. */
  trouble: string | null
  act: 'idle' | 'busy'
  /** Null where the page may not see them, or opens and clicks are not recorded by recipient. */
  figures: Figures | null
}

const firstWaitMs = 1000
const longestWaitMs = 15_000
const rowsMaxCount = 100
const openStates = ['queued', 'sending', 'deferred'] as const

/**
 * Follows what was launched, recipient by recipient, by server-sent events; a broken stream is opened again. `hasFigures`: a
 * message’s opens and clicks too, where the session may read them.
 */
export function createProgressStore(session: Session, launched: Launched, hasFigures = false) {
  const { kind, id } = launched
  const state = proxy<ProgressState>({
    status: 'following',
    subject: null,
    counts: {},
    rows: ref([]),
    shown: null,
    campaign: null,
    trouble: null,
    act: 'idle',
    figures: null,
  })
  const deliveries = new Map<string, MessageProgress['deliveries'][number]>()
  let aborter = new AbortController()
  let reading: Promise<void> | null = null
  /** Of the run whose figures are followed. */
  let figured: AbortSignal | null = null

  async function followMessage(signal: AbortSignal): Promise<void> {
    for await (const { subject, counts, deliveries: changed, opened } of watchMessage(session, id, { signal })) {
      for (const delivery of changed) deliveries.set(delivery.recipient, delivery)
      Object.assign(state, { subject, counts, rows: ref([...deliveries.values()]), trouble: null })
      if (opened === undefined || !hasFigures || figured === signal) continue
      figured = signal
      const ask = () => getMessage(session, id, { limit: 1 }, { signal })
      // Without them the progress is still of use.
      void figuresModule().then(
        ({ followFigures }) => followFigures(state, ask, signal),
        () => 0,
      )
    }
  }

  async function followCampaign(signal: AbortSignal): Promise<void> {
    const { getEmailCampaign, watchEmailCampaign } = await campaigns()
    const campaign = await getEmailCampaign(session, id, { signal })
    state.subject = campaign.subject
    for await (const { status, counts, finishes_at } of watchEmailCampaign(session, id, { signal })) {
      const { total: _, ...states } = counts
      state.campaign = { status, scheduledAt: campaign.scheduled_at, finishesAt: finishes_at }
      Object.assign(state, { counts: states, trouble: null })
      void readRows(signal)
    }
    await readRows(signal)
  }

  /** One at a time: events that come meanwhile are answered by the next. */
  function readRows(signal: AbortSignal): Promise<void> {
    const query = { limit: rowsMaxCount, ...(state.shown && { state: state.shown }) }
    reading ??= campaigns()
      .then(({ listCampaignRecipients }) => listCampaignRecipients(session, id, query, { signal }))
      .then(
        ({ items }) => void (state.rows = ref(items)),
        () => undefined, // The next event asks again.
      )
      .finally(() => (reading = null))
    return reading
  }

  const isSettled = () =>
    openStates.every((open) => !state.counts[open]) &&
    (state.campaign === null || ['finished', 'cancelled', 'failed'].includes(state.campaign.status))

  async function follow(signal: AbortSignal): Promise<void> {
    state.status = 'following'
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        await (kind === 'message' ? followMessage(signal) : followCampaign(signal))
        if (isSettled()) {
          state.status = 'settled'
          return
        }
        waitMs = firstWaitMs
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof ApiError && error.status === 404) {
          state.status = 'gone'
          return
        }
        state.trouble = errorText(error)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs)
        signal.addEventListener(
          'abort',
          () => {
            clearTimeout(timer)
            resolve()
          },
          { once: true },
        )
      })
      if (signal.aborted) return
    }
  }

  function restart(): void {
    aborter.abort()
    aborter = new AbortController()
    void follow(aborter.signal)
  }

  /** Does something to what was launched, and follows what comes of it. */
  async function act(work: () => Promise<unknown>): Promise<void> {
    state.act = 'busy'
    try {
      await work()
      restart()
    } catch (error) {
      state.trouble = errorText(error)
    }
    state.act = 'idle'
  }

  return {
    state,
    session,
    launched,
    /** Starts following; returns the undo. */
    start() {
      restart()
      return () => aborter.abort()
    },
    show(shown: DeliveryState | null) {
      state.shown = shown
      if (kind === 'campaign') void readRows(aborter.signal).then(() => readRows(aborter.signal))
    },
    act,
  }
}

export type ProgressStore = ReturnType<typeof createProgressStore>
