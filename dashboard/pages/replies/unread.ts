import { useEffect, useState } from 'react'
import type { Session } from '../../../client/core/http.ts'
import { countUnreadReplies, watchReplyCounts } from '../../../client/inbox/reply.ts'

const changed = 'sendwright-replies-counted'
/** Pause before a stream that ended is opened again, and before one that failed is, in ms. */
const retryMs = 2000
const failedRetryMs = 30_000

/** Sets the number of replies to read on the badge of the sidebar. */
export function announceReplies(count: number): void {
  window.dispatchEvent(new CustomEvent(changed, { detail: count }))
}

/** The number of replies to read, live; 0 until it is known. */
export function useUnreadReplies(session: Session): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const listen = (event: Event) => setCount((event as CustomEvent<number>).detail)
    window.addEventListener(changed, listen)
    const stop = followWhileVisible((signal) => followCount(session, setCount, signal))
    return () => {
      stop()
      window.removeEventListener(changed, listen)
    }
  }, [session])
  return count
}

/** Browsers open six connections to a host: a page in a hidden tab holds none. */
function followWhileVisible(follow: (signal: AbortSignal) => void): () => void {
  let aborter: AbortController | null = null
  const update = () => {
    if (document.hidden) aborter?.abort()
    else if (aborter === null || aborter.signal.aborted) follow((aborter = new AbortController()).signal)
  }
  update()
  document.addEventListener('visibilitychange', update)
  return () => {
    document.removeEventListener('visibilitychange', update)
    aborter?.abort()
  }
}

/** Opens the stream again whenever it ends. Each begins with the present count, so that none is missed. */
function followCount(session: Session, onCount: (count: number) => void, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = async () => {
    let afterMs = retryMs
    try {
      for await (const counts of watchReplyCounts(session, { signal })) onCount(counts.unread_count)
    } catch {
      afterMs = failedRetryMs // Replies itself shows what is wrong.
    }
    if (!signal.aborted) timer = setTimeout(() => void open(), afterMs)
  }
  signal.addEventListener('abort', () => clearTimeout(timer))
  void open()
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
