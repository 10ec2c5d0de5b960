import { useEffect, useState } from 'react'
import { errorText, type CallOptions } from '../../client/core/http.ts'

/** What a screen loads once. */
export type Loaded<T> =
  | { status: 'loading' }
  | { status: 'ready'; value: T }
  | { status: 'failed'; error: string | null }

/** Loads a value; `reload` loads it again, `set` replaces it. `load` must be the same function until it loads another one. */
export function useLoaded<T>(load: (options: CallOptions) => Promise<T>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ status: 'loading' })
  const [loadCount, setLoadCount] = useState(0)
  useEffect(() => {
    const aborter = new AbortController()
    load({ signal: aborter.signal }).then(
      (value) => setLoaded({ status: 'ready', value }),
      (error: unknown) => {
        if (!aborter.signal.aborted) setLoaded({ status: 'failed', error: errorText(error) })
      },
    )
    return () => aborter.abort()
  }, [load, loadCount])
  return {
    loaded,
    loadCount,
    set: (value: T) => setLoaded({ status: 'ready', value }),
    reload: () => setLoadCount(loadCount + 1),
  }
}
