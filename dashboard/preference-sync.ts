import { subscribe } from 'valtio/vanilla'
import type { StoredSession } from '../client/account/session.ts'
import type { Preferences } from '../contract/account/account.ts'
import {
  onFoldedChange,
  onSchemeChange,
  onSidebarChange,
  readFolded,
  readScheme,
  readSidebar,
  saveFolded,
  saveSidebar,
  setScheme,
} from './preferences.ts'

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
      const { scheme, sidebar, folded } = user.preferences
      known = { id: user.id, preferences: { ...user.preferences } }
      if (scheme !== undefined && scheme !== readScheme()) setScheme(scheme)
      if (sidebar !== undefined && sidebar !== readSidebar()) saveSidebar(sidebar)
      if (folded !== undefined && String(folded) !== String(readFolded())) saveFolded(folded)
    }
  }

  const tell = (change: Preferences) => {
    const { user } = session.state
    if (known === null || user?.confirmed_email !== true) return
    // Of groups, the names are compared.
    const isNew = Object.entries(change).some(
      ([name, value]) => String(known?.preferences[name as keyof Preferences]) !== String(value),
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
    onFoldedChange(() => tell({ folded: readFolded() })),
  ]
  return () => undo.forEach((end) => end())
}
