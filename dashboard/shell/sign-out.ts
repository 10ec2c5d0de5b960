import type { StoredSession } from '../../client/account/session.ts'
import { clearLocalStorage } from '../preferences.ts'

/** Ends the session, clears local storage and reloads the page (spec §4). */
export function signOut(session: StoredSession): void {
  session.signOut()
  clearLocalStorage()
  location.reload()
}
