import { useSyncExternalStore } from 'react'

/** What stands behind the address's `#`, as it changes. */
export function useHash(): string {
  return useSyncExternalStore(
    (onChange) => {
      window.addEventListener('hashchange', onChange)
      return () => window.removeEventListener('hashchange', onChange)
    },
    () => location.hash.slice(1),
    () => '',
  )
}
