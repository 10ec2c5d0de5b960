import { resendConfirmation } from '../../../client/account/account.ts'
import type { Session } from '../../../client/core/http.ts'
import { confirmation } from '../../messages.ts'

/** Requests another confirmation mail and returns the sentence to show (spec §8). Never throws. */
export async function resend(session: Session): Promise<string> {
  try {
    const answer = await resendConfirmation(session)
    if (answer.ok) return confirmation.resent
    const body = (await answer.json()) as { message?: unknown; detail?: unknown }
    const found = [body.message, body.detail].find((text) => typeof text === 'string' && text !== '')
    return typeof found === 'string' ? found : confirmation.resendFailed
  } catch {
    return confirmation.resendUnanswered // Spec §8 gives an exception a sentence of its own.
  }
}
