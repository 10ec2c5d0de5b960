import { serverMessage } from '../../../contract/core/server-messages.ts'
import type { RetriedCounts } from '../../usecases/messages/retry-message.ts'

/** Messages of successful account calls (decisions, Routes and accounts: one answer for every address). */
export const accountSentences = {
  signedUp: 'Account created. Open the link in the mail we sent you to confirm your address.',
  confirmed: 'Your email has been successfully confirmed!',
  resetRequested: 'If this address has an account, we have sent a mail with a link.',
  passwordUpdated: 'Your password was updated. Sign in with the new one.',
  resent: 'If this account is not confirmed yet, we have sent a new mail.',
} as const

/** Answer of a send call (spec §7). */
export function sentSentence(recipientCount: number): string {
  return serverMessage('email_sent', { count: recipientCount })
}

/** Answer of a call that sends to refused recipients once more; who is on the list of suppressions gets nothing. */
export function retriedSentence({ resentCount, suppressedCount }: RetriedCounts): string {
  if (suppressedCount === 0) return resentSentence(resentCount)
  const total = resentCount + suppressedCount
  const which =
    total === 1 ? 'The address is' : `${suppressedCount} of ${total} ${suppressedCount === 1 ? 'is' : 'are'}`
  const rest = resentCount === 0 ? 'nothing is sent again' : resentSentence(resentCount)
  return `${which} on your suppression list; ${rest}.`
}

/** Answer of a call that sends once more. */
export function resentSentence(recipientCount: number): string {
  return recipientCount === 1 ? '1 recipient is sent to again' : `${recipientCount} recipients are sent to again`
}
