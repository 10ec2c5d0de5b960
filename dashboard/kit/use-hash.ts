import { useSyncExternalStore } from 'react'

/** Returns the fragment of the page's address, and follows its changes. */
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
