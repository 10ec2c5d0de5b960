import { proxy } from 'valtio/vanilla'
import { listEmailCampaigns } from '../../../client/mail/campaign.ts'
import { mailboxList, type MailboxRows } from '../../../client/mail/mailbox-list.ts'
import { listConfigUsage } from '../../../client/mail/config-owner.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { listMessages } from '../../../client/mail/message.ts'
import { watchStatistics } from '../../../client/results/statistics.ts'
import type { ConfigUsage } from '../../../contract/mail/config.ts'
import { listMaxCount } from '../../../contract/core/limits.ts'
import type { ListedMessage } from '../../../contract/mail/message.ts'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { periodDays } from './figures.ts'
import type { HomeCampaign } from './home-campaigns.ts'

/** A part of the screen with its own request: one that fails leaves the others. */
export interface LoadedPart<T> {
  status: 'loading' | 'ready' | 'failed'
  /** The last loaded value; kept while it is fetched again. */
  value: T
  error: string | null
}

/** What the home screen reads. */
export interface HomeState {
  configs: MailboxRows
  /** By the id of the configuration. */
  usage: LoadedPart<Record<string, ConfigUsage>>
  /** Newest first. */
  campaigns: LoadedPart<HomeCampaign[]>
  messages: LoadedPart<ListedMessage[]>
  /** This period and the one before, oldest day first. */
  days: LoadedPart<DayCounts[]>
  /** Whether the stream of figures is open. */
  isLive: boolean
}

/** Campaigns among which the last, the best and the drafts are found. */
const campaignsReadCount = 100
const messagesShownCount = 4
/** Refresh intervals of campaigns and messages in ms: with queued mail or after new figures, and otherwise. */
const movingEveryMs = 3000
const restingEveryMs = 30_000
/** Pause before a stream that ended is opened again, in ms. */
const retryMs = 2000

/** State of the home screen. */
export function createHomeStore(session: Session, timezone: string) {
  const configs = mailboxList(session)
  const state = proxy<HomeState>({
    configs: configs.state,
    usage: part({}),
    campaigns: part([]),
    messages: part([]),
    days: part([]),
    isLive: false,
  })
  let reopen: () => void = () => undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let dueAt = 0

  type Part = 'usage' | 'campaigns' | 'messages'
  async function fill<K extends Part>(name: K, load: () => Promise<HomeState[K]['value']>) {
    try {
      Object.assign(state[name], { status: 'ready', value: await load(), error: null })
    } catch (error) {
      if (!isAbort(error)) Object.assign(state[name], { status: 'failed', error: errorText(error) })
    }
  }

  const loadUsage = (signal?: AbortSignal) =>
    fill('usage', async () => {
      const { items } = await listConfigUsage(session, { limit: listMaxCount }, options(signal))
      return Object.fromEntries(items.map((item) => [item.id, item]))
    })
  const loadSends = (signal?: AbortSignal) =>
    Promise.all([
      fill('campaigns', async () => {
        const page = { limit: campaignsReadCount, with_body: false }
        return (await listEmailCampaigns(session, page, options(signal))).items
      }),
      fill('messages', async () => (await listMessages(session, { limit: messagesShownCount }, options(signal))).items),
    ])

  async function keepUp(signal: AbortSignal): Promise<void> {
    dueAt = Infinity
    await Promise.all([loadUsage(signal), loadSends(signal)])
    if (signal.aborted) return
    const isMoving =
      state.campaigns.value.some(({ status }) => status === 'sending') ||
      state.messages.value.some(({ counts }) => counts.queued + counts.sending > 0)
    plan(signal, isMoving ? movingEveryMs : restingEveryMs)
  }

  /** Loads the lists after so long, unless they are loaded before that. */
  function plan(signal: AbortSignal, afterMs: number): void {
    const at = Date.now() + afterMs
    if (at > dueAt && dueAt !== Infinity) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => void keepUp(signal), afterMs)
  }

  async function readDays(signal: AbortSignal): Promise<void> {
    const query = { timezone, days: 2 * periodDays }
    try {
      for await (const value of watchStatistics(session, query, { signal })) {
        Object.assign(state.days, { status: 'ready', value, error: null })
        if (state.isLive && dueAt !== Infinity) plan(signal, movingEveryMs)
        state.isLive = true
      }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return
      Object.assign(state.days, { status: 'failed', error: errorText(error) })
    }
    state.isLive = false
  }

  /** Opens the stream again whenever it ends. Each begins with all figures, so that none is missed. */
  async function followDays(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await readDays(signal)
      await new Promise<void>((resolve) => {
        reopen = resolve
        setTimeout(resolve, retryMs)
      })
    }
  }

  return {
    state,
    reloadConfigs: () => configs.load(),
    reloadUsage: () => loadUsage(),
    reloadSends: () => void loadSends(),
    /** Opens the stream of figures again at once. */
    reloadDays: () => reopen(),
    /** Loads everything and refreshes it; returns a function that stops it. */
    start() {
      const aborter = new AbortController()
      const { signal } = aborter
      void configs.load()
      void followDays(signal)
      void keepUp(signal)
      return () => {
        aborter.abort()
        clearTimeout(timer)
      }
    },
  }
}

function part<T>(value: T): LoadedPart<T> {
  return { status: 'loading', value, error: null }
}

function options(signal: AbortSignal | undefined) {
  return signal === undefined ? undefined : { signal }
}

export type HomeStore = ReturnType<typeof createHomeStore>
