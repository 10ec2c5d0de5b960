/** Routes of the google calls, for their operations and the client. No shapes: browser code imports this file. */
export const startGoogleSignIn = 'GET /auth/login-google'
export const finishGoogleSignIn = 'GET /auth/login-google/callback'
