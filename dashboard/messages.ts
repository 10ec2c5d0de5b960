import { pageLanguage } from '../widgets/lib/messages/messages.ts'

/** Sentences of the screens, with their source. Those of the specification are literal. */

/** Spec §5, in the order in which they are checked. */
export const login = {
  emailRequired: 'Email is required',
  emailInvalid: 'Enter a valid email',
  passwordRequired: 'Password is required',
  passwordShort: (minChars: number) => pageLanguage.t('Password must be at least {minChars} characters', { minChars }),
  /** Spec §8. */
  invalid: 'Invalid credentials',
  /** Ours, below it: the remedy. */
  unreachable: 'The server did not answer. Check your connection and try again.',
  /** Decisions, Routes and accounts. */
  waitUntil: (time: string) => pageLanguage.t('Too many attempts. Try again at {time}.', { time }),
  /** Ours, while the browser solves the proof of work. */
  proving:
    'Many sign-ins from your network have failed. Your browser solves a short task before it signs you in. This takes a few seconds.',
} as const

/** Spec §2 and §5: the password reset screen. */
export const reset = {
  requested: 'Reset instructions sent! Please check your email.',
  confirmRequired: 'Please confirm your password',
  mismatch: 'Passwords do not match',
  updated: 'Password updated successfully! Redirecting to login...',
  /** Spec §8. */
  failed: 'Failed to reset password',
} as const

/** Ours: a warning about a common password, which is accepted (security.md, Accounts). */
export const commonPassword = 'This is one of the most common passwords. A longer one of your own is safer.'

/** Spec §8. */
export const signupFailed = 'Error registering user'

/** Spec §8: the email confirmation screen, without a message from the server. */
export const confirmation = {
  confirmed: 'Your email has been successfully confirmed!',
  expired: 'This confirmation link has expired.',
  failed: 'Failed to confirm your email. Please try again.',
  unexpected: 'An unexpected error occurred. Please try again later.',
  resent: 'A new confirmation email has been sent to your inbox.',
  resendFailed: 'Failed to resend confirmation email.',
  resendUnanswered: 'Failed to resend confirmation email. Please try again.',
} as const
