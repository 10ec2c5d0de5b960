import { useCallback, useEffect, useState } from 'react'

/** A module that is loaded on demand: neither field while it is not loaded, `retry` after a failed load. */
export interface LazyModule<Module> {
  module?: Module
  retry?: () => void
}

/** Loads a module once `isNeeded`; `load` must be the same function in every render. */
export function useModule<Module>(load: () => Promise<Module>, isNeeded: boolean): LazyModule<Module> {
  const [state, setState] = useState<LazyModule<Module>>({})
  const fetch = useCallback(() => {
    setState({})
    load().then(
      (module) => setState({ module }),
      () => setState({ retry: fetch }),
    )
  }, [load])
  const isWaiting = !state.module && !state.retry
  useEffect(() => {
    if (isNeeded && isWaiting) fetch()
  }, [isNeeded, isWaiting, fetch])
  return state
}
