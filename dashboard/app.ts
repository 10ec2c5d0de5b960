import { createContext, useContext } from 'react'
import type { StoredSession } from '../client/account/session.ts'
import type { Notify } from '../widgets/lib/notify.ts'
import type { SandboxProbe } from './sandbox-probe.ts'

/** Context of every screen, created once in main.tsx. */
export interface App {
  session: StoredSession
  /**
   * Navigates to a path of the product; `replace` replaces the history entry, `state` is passed to the screen.
   */
  go: (path: string, options?: { replace?: boolean; state?: unknown }) => void
  notify: Notify
  sandbox: SandboxProbe
  /** Where a visitor wanted to go before signing in; read once. */
  wanted: { keep: (path: string) => void; take: () => string }
}

export const AppContext = createContext<App | null>(null)

/** The app of the screen. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('A screen is rendered outside the app.')
  return app
}
