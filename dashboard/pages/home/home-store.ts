import { proxy } from 'valtio/vanilla'
import { listEmailCampaigns } from '../../../client/mail/campaign.ts'
import { mailboxList, type MailboxList } from '../../../client/mail/mailbox-list.ts'
import { listConfigUsage } from '../../../client/mail/config-owner.ts'
import { errorText, isAbort, type Session } from '../../../client/core/http.ts'
import { listMessages } from '../../../client/mail/message.ts'
import { getStatistics } from '../../../client/results/statistics.ts'
import type { ConfigUsage } from '../../../contract/mail/config.ts'
import { listMaxCount } from '../../../contract/core/limits.ts'
import type { DayCounts } from '../../../contract/results/statistics.ts'
import { recentSends, type Send } from './recent-sends.ts'

/** A part of the screen that is fetched by itself: one that fails leaves the others. */
export interface LoadedPart<T> {
  status: 'loading' | 'ready' | 'failed'
  /** The last loaded value; kept while it is fetched again. */
  value: T
  error: string | null
}

/** What the home screen reads. */
export interface HomeState {
  configs: MailboxList['state']
  /** By the id of the configuration. */
  usage: LoadedPart<Record<string, ConfigUsage>>
  /** Newest first, single sends and campaigns together. */
  sends: LoadedPart<Send[]>
  days: LoadedPart<DayCounts[]>
}

export const sendsShownCount = 6
/** Refresh intervals in ms: with queued mail, and without. */
const movingEveryMs = 3000
const restingEveryMs = 30_000

/** State of the home screen. */
export function createHomeStore(session: Session, timezone: string) {
  const configs = mailboxList(session)
  const state = proxy<HomeState>({ configs: configs.state, usage: part({}), sends: part([]), days: part([]) })

  async function fill<K extends 'usage' | 'sends' | 'days'>(name: K, load: () => Promise<HomeState[K]['value']>) {
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
    fill('sends', async () => {
      const page = { limit: sendsShownCount }
      const [messages, campaigns] = await Promise.all([
        listMessages(session, page, options(signal)),
        listEmailCampaigns(session, page, options(signal)),
      ])
      return recentSends(messages.items, campaigns.items).slice(0, sendsShownCount)
    })
  const loadDays = (signal?: AbortSignal) => fill('days', () => getStatistics(session, { timezone }, options(signal)))

  async function keepUp(signal: AbortSignal): Promise<void> {
    await Promise.all([loadUsage(signal), loadSends(signal)])
    if (signal.aborted) return
    const isMoving = state.sends.value.some(({ isUnderWay }) => isUnderWay)
    const timer = setTimeout(() => void keepUp(signal), isMoving ? movingEveryMs : restingEveryMs)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  return {
    state,
    reloadConfigs: () => configs.load(),
    reloadUsage: () => loadUsage(),
    reloadSends: () => loadSends(),
    reloadDays: () => loadDays(),
    /** Loads everything and refreshes it; returns a function that stops it. */
    start() {
      const aborter = new AbortController()
      void configs.load()
      void loadDays(aborter.signal)
      void keepUp(aborter.signal)
      return () => aborter.abort()
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
