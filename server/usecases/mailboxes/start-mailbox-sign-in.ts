import { addressProblems, parseAddress } from '../../../contract/core/address.ts'
import type { MailboxSignIn } from '../../../contract/mail/config.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { StartedSignIn } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import type { OAuthStates } from '../../store/mailboxes/oauth-state.ts'

interface Ports {
  oauth: Pick<OAuthClient, 'isOffered' | 'newCodeVerifier' | 'start'>
  states: Pick<OAuthStates, 'seal'>
  now: () => Date
}

/** Time limit for the sign-in at the provider. */
const lifeMs = 15 * 60_000

/**
 * Begins to connect a mailbox by signing in at its provider: gives the address that the browser is to open.
 * Throws `validation`, `mailbox_sign_in_not_offered`, `mailbox_sign_in_failed`.
 */
export function createStartMailboxSignIn({ oauth, states, now }: Ports) {
  return async (scope: Scope, userId: string, body: MailboxSignIn): Promise<string> => {
    const { provider } = body
    const address = parseAddress(body.email_address)
    if (!address.ok) {
      const msg = `email_address ${addressProblems[address.problem]}`
      throw new AppError('validation', {
        items: [{ loc: ['body', 'email_address'], msg, type: `address_${address.problem}` }],
      })
    }
    if (!oauth.isOffered(provider)) throw new AppError('mailbox_sign_in_not_offered')
    const started: StartedSignIn = {
      provider,
      emailAddress: address.key,
      userId,
      codeVerifier: oauth.newCodeVerifier(),
      expiresAtMs: now().getTime() + lifeMs,
      ...(body.reading === true && { isForReading: true }),
    }
    const state = states.seal(scope, started)
    try {
      return await oauth.start(provider, { ...started, state })
    } catch (error) {
      throw new AppError('mailbox_sign_in_failed', { cause: error })
    }
  }
}
