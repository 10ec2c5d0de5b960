import * as routes from '../../contract/account/google.routes.ts'
import type { Session } from '../core/http.ts'

const path = routes.startGoogleSignIn.slice('GET '.length)

/** Where to lead the whole page to sign in with Google (spec §7). It comes back to /login with a token or an error. */
export function googleSignInAddress({ apiBase }: Pick<Session, 'apiBase'>): string {
  // oxlint-disable-next-line regexp/no-super-linear-move -- the page's own setting, no text of a stranger
  return apiBase.replace(/\/+$/, '') + path
}
