import { proxy } from 'valtio/vanilla'
import { configList, type ConfigList } from '../../client/config-list.ts'
import { errorText, type Session } from '../../client/http.ts'
import { getMessage } from '../../client/message.ts'
import type { Message } from '../../contract/message.ts'

/** What the home screen reads. `lastMessage` is null until it came, and when nothing was sent from this browser. */
export interface HomeState {
  configs: ConfigList['state']
  lastMessage: Message | null
  trouble: string | null
}

/** How long an unsettled message rests before its state is asked for again. */
const askAgainMs = 3000

/** State of the home screen. */
export function createHomeStore(session: Session, lastMessageId: string | null) {
  const configs = configList(session)
  const state = proxy<HomeState>({ configs: configs.state, lastMessage: null, trouble: null })

  async function follow(id: string, signal: AbortSignal): Promise<void> {
    try {
      state.lastMessage = await getMessage(session, id, { limit: 1 }, { signal })
      state.trouble = null
    } catch (error) {
      if (signal.aborted) return
      state.trouble = errorText(error)
      return
    }
    const { queued, sending, deferred } = state.lastMessage.counts
    if (queued + sending + deferred === 0) return
    const timer = setTimeout(() => void follow(id, signal), askAgainMs)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  return {
    state,
    reload: () => configs.load(),
    /** Loads the mailboxes and follows the last message; gives the undo. */
    start() {
      const aborter = new AbortController()
      void configs.load()
      if (lastMessageId !== null) void follow(lastMessageId, aborter.signal)
      return () => aborter.abort()
    },
  }
}
