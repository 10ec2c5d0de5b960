import { useSyncExternalStore } from 'react'
import { onSchemeChange, readScheme } from '../preferences.ts'

/** Changes whenever colours do: by the switch, and by the system. */
export function useScheme(): string {
  return useSyncExternalStore(
    (onChange) => {
      const system = matchMedia('(prefers-color-scheme: dark)')
      system.addEventListener('change', onChange)
      const unfollow = onSchemeChange(onChange)
      return () => {
        system.removeEventListener('change', onChange)
        unfollow()
      }
    },
    () => `${readScheme()} ${matchMedia('(prefers-color-scheme: dark)').matches}`,
  )
}
