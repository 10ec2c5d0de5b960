/** Error codes of accounts and sessions. */
export const accountErrors = {
  reset_invalid: { status: 400, sentence: 'This reset link has expired or was already used. Request a new one.' },
  password_wrong: { status: 400, sentence: 'The current password is wrong. Enter it again.' },
  sign_in_code_invalid: { status: 400, sentence: 'This sign-in has expired. Sign in again.' },
  invalid_credentials: { status: 401, sentence: 'Invalid credentials' },
  email_not_confirmed: {
    status: 403,
    sentence: 'Confirm your email address first: open the link in the mail we sent you.',
  },
  confirmation_unknown: {
    status: 404,
    sentence: 'This confirmation link is not valid. Open the latest mail we sent you.',
  },
  confirmation_expired: { status: 410, sentence: 'This confirmation link has expired.' },
  session_not_found: { status: 404, sentence: 'You have no session with this id. It may have ended already.' },
  password_missing: {
    status: 409,
    sentence: 'This account has no password yet. Set one first with “Forgot your password?” on the sign-in page.',
  },
  proof_of_work_required: {
    status: 429,
    sentence:
      'Too many sign-ins from your network have failed. Solve the challenge and send its solution as proof_of_work, or try again later.',
  },
} as const
