import { proxy } from 'valtio/vanilla'
import { errorText, type Session } from '../../../client/core/http.ts'
import * as api from '../../../client/inbox/reply.ts'
import { listEmailCampaigns } from '../../../client/mail/campaign.ts'
import type { Reply, ReplySummary } from '../../../contract/inbox/reply.ts'
import type { replyViews } from '../../../contract/inbox/inbox.limits.ts'
import type { Notify } from '../../../widgets/lib/notify.ts'
import { announceReplies } from './unread.ts'

export type View = (typeof replyViews)[number]

/** Interval of the automatic refresh, in ms. */
const refreshMs = 5000
const pageCount = 50
const campaignsMaxCount = 100

export interface RepliesState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  view: View
  /** Only replies to this campaign; empty: of all mails. */
  campaignId: string
  campaigns: { id: string; name: string }[]
  items: ReplySummary[]
  /** Cursor of the next page; null on the last one. */
  next: string | null
  isLoadingMore: boolean
  counts: Awaited<ReturnType<typeof api.countUnreadReplies>> | null
  /** The selected reply; on a small screen it is shown alone once `isOpen`. */
  selectedId: string | null
  isOpen: boolean
  reply: Reply | null
  /** Answers that are not sent yet, by reply. */
  answers: Record<string, string>
  isSending: boolean
  /** Why the answer was not sent. */
  problem: string | null
}

/** State and actions of the Replies screen. `campaignId`: the campaign that is shown first. */
export function createRepliesStore(session: Session, notify: Notify, campaignId = '') {
  const state = proxy<RepliesState>({
    status: 'loading',
    error: null,
    view: 'reply',
    campaignId,
    campaigns: [],
    items: [],
    next: null,
    isLoadingMore: false,
    counts: null,
    selectedId: null,
    isOpen: false,
    reply: null,
    answers: {},
    isSending: false,
    problem: null,
  })
  let loading = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  const query = () => ({
    view: state.view,
    limit: pageCount,
    ...(state.campaignId !== '' && { campaign_id: state.campaignId }),
  })

  async function load(): Promise<void> {
    clearTimeout(timer)
    loading.abort()
    const { signal } = (loading = new AbortController())
    try {
      const [page, counts] = await Promise.all([
        api.listReplies(session, query(), { signal }),
        api.countUnreadReplies(session, { signal }),
      ])
      // Pages that were added stay behind the first one.
      const last = Number(page.items.at(-1)?.id ?? 0)
      const older = page.nextCursor === null ? [] : state.items.filter(({ id }) => Number(id) < last)
      if (older.length === 0) state.next = page.nextCursor
      Object.assign(state, { status: 'ready', error: null, items: [...page.items, ...older], counts })
      announceReplies(counts.unread_count)
    } catch (error) {
      if (signal.aborted) return
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
    if (!signal.aborted) timer = setTimeout(() => void load(), refreshMs)
  }

  async function loadMore(): Promise<void> {
    const { next } = state
    if (next === null || state.isLoadingMore) return
    state.isLoadingMore = true
    await attempt(async () => {
      const page = await api.listReplies(session, { ...query(), cursor: next })
      const known = new Set(state.items.map(({ id }) => id))
      state.items.push(...page.items.filter(({ id }) => !known.has(id)))
      state.next = page.nextCursor
    })
    state.isLoadingMore = false
  }

  /** Without the right to see campaigns there is no filter by them. */
  async function loadCampaigns(): Promise<void> {
    const page = await listEmailCampaigns(session, { limit: campaignsMaxCount }).catch(() => null)
    const started = page?.items.filter(({ started_at: startedAt }) => startedAt !== null) ?? []
    state.campaigns = started.map(({ id, name, subject }) => ({ id, name: name === '' ? subject : name }))
  }

  async function select(id: string): Promise<void> {
    if (state.selectedId !== id) Object.assign(state, { problem: null, reply: null })
    state.selectedId = id
    await attempt(async () => {
      const reply = await api.getReply(session, id)
      if (state.selectedId === id) state.reply = reply
    })
  }

  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
      return false
    }
  }

  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      await load()
    })

  const close = () => Object.assign(state, { selectedId: null, isOpen: false, reply: null, problem: null })

  const restart = () => {
    Object.assign(state, { status: 'loading', items: [], next: null })
    close()
    void load()
  }

  return {
    state,
    load,
    loadMore,
    /** Refreshes now and at the interval; returns a function that stops it. */
    start() {
      void load()
      void loadCampaigns()
      return () => {
        clearTimeout(timer)
        loading.abort()
      }
    },
    show(view: View) {
      state.view = view
      restart()
    },
    showCampaign(id: string) {
      state.campaignId = id
      restart()
    },
    /** Selects and opens a reply, which marks it as read. */
    async open(id: string) {
      state.isOpen = true
      await select(id)
      const isUnread = state.items.some((item) => item.id === id && !item.is_read)
      if (isUnread) await change(() => api.updateReply(session, id, { is_read: true }))
    },
    /** Selects the next or the previous one; gives its id, null without one. */
    move(by: 1 | -1): string | null {
      const at = state.items.findIndex(({ id }) => id === state.selectedId)
      const next = state.items[Math.max(0, at + by)]
      if (next === undefined) return null
      void select(next.id)
      return next.id
    },
    back: close,
    async archive(id: string, isArchived: boolean) {
      if (await change(() => api.updateReply(session, id, { is_read: true, is_archived: isArchived }))) close()
    },
    confirm: (id: string) =>
      change(async () => {
        state.reply = await api.confirmReply(session, id)
      }),
    async reject(id: string) {
      if (await change(() => api.rejectReply(session, id))) close()
    },
    async unsubscribe(id: string): Promise<boolean> {
      const isDone = await change(() => api.unsubscribeReply(session, id))
      if (isDone) notify({ kind: 'success', text: 'Unsubscribed. Nothing is sent to this person any more.' })
      return isDone
    },
    async remove(id: string): Promise<boolean> {
      const isDone = await change(() => api.deleteReply(session, id))
      if (isDone) close()
      return isDone
    },
    write(id: string, text: string) {
      state.answers[id] = text
    },
    /** Keeps the typed answer where it cannot be sent. */
    async send(id: string, isDone: boolean) {
      Object.assign(state, { isSending: true, problem: null })
      try {
        const reply = await api.answerReply(session, id, { text: state.answers[id] ?? '', is_done: isDone })
        const { [id]: _sent, ...others } = state.answers
        state.answers = others
        if (state.selectedId === id) state.reply = reply
        await load()
        if (isDone) close()
      } catch (error) {
        state.problem = errorText(error)
      } finally {
        state.isSending = false
      }
    },
  }
}

export type RepliesStore = ReturnType<typeof createRepliesStore>
