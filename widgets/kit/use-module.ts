import { useCallback, useEffect, useState } from 'react'

/** A part of a widget that is fetched when it is first needed. */
export type Lazy<Module> =
  { status: 'waiting' } | { status: 'ready'; module: Module } | { status: 'failed'; retry: () => void }

/** Fetches a part once `isNeeded`; `load` must be the same function in every render. */
export function useModule<Module>(load: () => Promise<Module>, isNeeded: boolean): Lazy<Module> {
  const [state, setState] = useState<Lazy<Module>>({ status: 'waiting' })
  const fetch = useCallback(() => {
    setState({ status: 'waiting' })
    load().then(
      (module) => setState({ status: 'ready', module }),
      () => setState({ status: 'failed', retry: fetch }),
    )
  }, [load])
  const isWaiting = state.status === 'waiting'
  useEffect(() => {
    if (isNeeded && isWaiting) fetch()
  }, [isNeeded, isWaiting, fetch])
  return state
}
