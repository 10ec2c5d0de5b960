/** Routes of the profile calls, for their operations and the client. No shapes: browser code imports this file. */
export const updateCurrentUser = 'PATCH /auth/user'
export const changePassword = 'POST /auth/change-password'
export const closeAccount = 'POST /auth/close-account'
