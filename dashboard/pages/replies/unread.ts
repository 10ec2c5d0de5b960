import { useEffect, useState } from 'react'
import type { Session } from '../../../client/core/http.ts'
import { countUnreadReplies } from '../../../client/inbox/reply.ts'

const changed = 'sendwright-replies-counted'
const pollMs = 30_000

/** Sets the number of replies to read on the badge of the sidebar. */
export function announceReplies(count: number): void {
  window.dispatchEvent(new CustomEvent(changed, { detail: count }))
}

/** The number of replies to read; 0 until it is known. */
export function useUnreadReplies(session: Session): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const aborter = new AbortController()
    const load = () => {
      countUnreadReplies(session, { signal: aborter.signal }).then(
        (counts) => setCount(counts.unread_count),
        () => undefined, // The next poll asks again; Replies itself shows what is wrong.
      )
    }
    const listen = (event: Event) => setCount((event as CustomEvent<number>).detail)
    load()
    const timer = setInterval(load, pollMs)
    window.addEventListener(changed, listen)
    return () => {
      aborter.abort()
      clearInterval(timer)
      window.removeEventListener(changed, listen)
    }
  }, [session])
  return count
}

/** Whether at least one mailbox is read; false until it is known. */
export function useIsAnyReading(session: Session): boolean {
  const [isReading, setReading] = useState(false)
  useEffect(() => {
    const aborter = new AbortController()
    countUnreadReplies(session, { signal: aborter.signal }).then(
      (counts) => setReading(counts.is_any_reading),
      () => undefined, // The figure is left out.
    )
    return () => aborter.abort()
  }, [session])
  return isReading
}
