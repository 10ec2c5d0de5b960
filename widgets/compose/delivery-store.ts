import { proxy } from 'valtio/vanilla'
import { errorText, type Session } from '../../client/http.ts'
import { getMessage } from '../../client/message.ts'
import { listMaxCount } from '../../contract/limits.ts'
import type { DeliveryState, Message } from '../../contract/message.ts'

/** `following` while a recipient's state can still change by itself. */
export interface DeliveryProgress {
  status: 'following' | 'settled'
  message: Message | null
  /** Why the last question got no answer; asked again by itself. */
  trouble: string | null
}

const firstWaitMs = 700
const longestWaitMs = 15_000
const openStates: readonly DeliveryState[] = ['queued', 'sending', 'deferred']

/** Follows where the recipients of a message stand, by asking again and again, less and less often. */
export function createDeliveryStore(session: Session, id: string) {
  const state = proxy<DeliveryProgress>({ status: 'following', message: null, trouble: null })

  async function ask(signal: AbortSignal, waitMs: number): Promise<void> {
    try {
      const message = await getMessage(session, id, { limit: listMaxCount }, { signal })
      const isSettled = openStates.every((open) => message.counts[open] === 0)
      Object.assign(state, { message, trouble: null, status: isSettled ? 'settled' : 'following' })
      if (isSettled) return
    } catch (error) {
      if (signal.aborted) return
      state.trouble = errorText(error)
    }
    const timer = setTimeout(() => void ask(signal, Math.min(waitMs * 1.5, longestWaitMs)), waitMs)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  return {
    state,
    /** Starts asking; gives the undo. */
    start() {
      const aborter = new AbortController()
      void ask(aborter.signal, firstWaitMs)
      return () => aborter.abort()
    },
  }
}
