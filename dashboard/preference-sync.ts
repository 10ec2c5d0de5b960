import { subscribe } from 'valtio/vanilla'
import type { StoredSession } from '../client/account/session.ts'
import type { Preferences } from '../contract/account/account.ts'
import { onSchemeChange, onSidebarChange, saveSidebar, readScheme, readSidebar, setScheme } from './preferences.ts'

/**
 * Synchronises the preferences of a user: applies those of other devices after sign-in, and sends changes to the server. If
 * that fails, a change applies in this browser. Returns a function that stops it.
 */
export function syncPreferences(session: StoredSession): () => void {
  let known: { id: string; preferences: Preferences } | null = null

  const adopt = () => {
    const { user } = session.state
    if (user === null) known = null
    else if (known?.id !== user.id) {
      const { scheme, sidebar } = user.preferences
      known = { id: user.id, preferences: { ...user.preferences } }
      if (scheme !== undefined && scheme !== readScheme()) setScheme(scheme)
      if (sidebar !== undefined && sidebar !== readSidebar()) saveSidebar(sidebar)
    }
  }

  const tell = (change: Preferences) => {
    const { user } = session.state
    if (known === null || user?.confirmed_email !== true) return
    const isNew = Object.entries(change).some(
      ([name, value]) => known?.preferences[name as keyof Preferences] !== value,
    )
    if (!isNew) return
    Object.assign(known.preferences, change)
    void import('../client/account/profile.ts')
      .then(({ updateCurrentUser }) => updateCurrentUser(session, { preferences: change }))
      .catch(() => undefined) // It applies in this browser; the next change is sent again.
  }

  adopt()
  const undo = [
    subscribe(session.state, adopt, true),
    onSchemeChange(() => tell({ scheme: readScheme() })),
    onSidebarChange(() => tell({ sidebar: readSidebar() })),
  ]
  return () => undo.forEach((end) => end())
}
