import type { startGoogleSignIn as StartGoogleSignIn } from '../contract/google.ts'
import type { Session } from './http.ts'

const path: (typeof StartGoogleSignIn)['path'] = '/auth/login-google'

/** Where to lead the whole page to sign in with Google (spec §7). It comes back to /login with a token or an error. */
export function googleSignInAddress({ apiBase }: Pick<Session, 'apiBase'>): string {
  return apiBase.replace(/\/+$/, '') + path
}
