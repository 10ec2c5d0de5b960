import type { StoredSession } from '../../../client/account/session.ts'
import type { Mode } from '../../../widgets/compose/compose-state.ts'

/** Keeps for the person in which mode the composer opens. If that fails, the next choice is sent again. */
export function rememberMode(session: StoredSession, mode: Mode): void {
  const { user } = session.state
  if (user === null || user.preferences.composer_mode === mode) return
  user.preferences.composer_mode = mode
  void import('../../../client/account/profile.ts')
    .then(({ updateCurrentUser }) => updateCurrentUser(session, { preferences: { composer_mode: mode } }))
    .catch(() => undefined)
}
