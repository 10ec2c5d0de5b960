import { proxy } from 'valtio/vanilla'
import { ApiError, errorText, type Session } from '../../../client/core/http.ts'
import { answerSandboxMessage, listSandboxMessages } from '../../../client/mail/sandbox.ts'
import type { IncomingKind } from '../../../contract/inbox/inbox.limits.ts'
import type { SandboxMessage } from '../../../contract/mail/sandbox.ts'

/** How a mail is shown. */
export type MailView = 'html' | 'text' | 'source' | 'headers'

/** What the sandbox inbox reads. `error`: why the last refresh failed; the mails stay. */
export interface SandboxState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  messages: SandboxMessage[]
  /** Id of the open mail; null shows the list alone on a small screen, the newest mail beside it on a large one. */
  openId: string | null
  view: MailView
  /** Only mails to this address. */
  to: string
  refreshing: 'auto' | 'manual'
  /** The answer that was put into the mailbox last. */
  answered: IncomingKind | null
}

/** Interval of the automatic refresh, in ms. */
const refreshMs = 3000
const listCount = 100

/** State and actions of the sandbox inbox. `onMissing` is called where the server has no sandbox. */
export function createSandboxStore(session: Session, onMissing: () => void) {
  const state = proxy<SandboxState>({
    status: 'loading',
    error: null,
    messages: [],
    openId: null,
    view: 'html',
    to: '',
    refreshing: 'auto',
    answered: null,
  })
  let looking = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function look(): Promise<void> {
    clearTimeout(timer)
    looking.abort()
    looking = new AbortController()
    const { signal } = looking
    const to = state.to.trim()
    try {
      const page = await listSandboxMessages(session, { limit: listCount, ...(to !== '' && { to }) }, { signal })
      Object.assign(state, { status: 'ready', error: null, messages: page.items })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ApiError && error.status === 404) {
        onMissing()
        return
      }
      Object.assign(state, { status: 'failed', error: errorText(error) })
    }
    if (state.refreshing === 'auto' && !signal.aborted) timer = setTimeout(() => void look(), refreshMs)
  }

  return {
    state,
    look,
    /** Refreshes now and at the interval; returns a function that stops it. */
    start() {
      void look()
      return () => {
        clearTimeout(timer)
        looking.abort()
      }
    },
    /** Puts an answer to a mail into the sandbox's mailbox. */
    async answer(id: string, kind: IncomingKind) {
      try {
        await answerSandboxMessage(session, id, kind)
        state.answered = kind
      } catch (error) {
        Object.assign(state, { status: 'failed', error: errorText(error) })
      }
    },
    open(id: string | null) {
      state.openId = id
      state.answered = null
    },
    show(view: MailView) {
      state.view = view
    },
    filter(to: string) {
      state.to = to
      void look()
    },
    setRefreshing(refreshing: SandboxState['refreshing']) {
      state.refreshing = refreshing
      void look()
    },
  }
}

export type SandboxStore = ReturnType<typeof createSandboxStore>
