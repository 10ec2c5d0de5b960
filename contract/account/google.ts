import { defineOperation, routeOf } from '../core/operation.ts'
import * as routes from './google.routes.ts'

/** Where GET /auth/login-google is; a page goes there itself (spec §7). */
export const startGoogleSignIn = defineOperation({
  name: 'startGoogleSignIn',
  summary: 'Go to Google to sign in; comes back to /login with a token or an error',
  ...routeOf(routes.startGoogleSignIn),
  access: 'public',
  caller: 'page',
  answers: { 302: { description: 'To Google, or to /login with an error where it is not set up.' } },
})

/** The redirect address that Google's console asks for: PUBLIC_URL and this path. */
export const finishGoogleSignIn = defineOperation({
  name: 'finishGoogleSignIn',
  summary: 'Callback of the sign-in at Google',
  ...routeOf(routes.finishGoogleSignIn),
  access: 'public',
  caller: 'page',
  answers: { 302: { description: 'To /login with a one-time token, or with an error.' } },
})
