import type { SignInProvider } from '../../../contract/mail/config.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { MailboxRow } from '../../domain/mailboxes/mailbox.ts'
import type { MailboxTokens } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { MailboxCheck } from './connect-mailbox.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import type { OAuthStates } from '../../store/mailboxes/oauth-state.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Ports {
  oauth: Pick<OAuthClient, 'isOffered' | 'finish'>
  states: Pick<OAuthStates, 'open'>
  /** Connects, secures, signs in with the access token and leaves. */
  verifyTokens: (mailbox: {
    emailAddress: string
    provider: SignInProvider
    accessToken: string
  }) => Promise<MailboxCheck>
  mailboxes: Pick<MailboxStore, 'save'>
  /** Turns reading on where the sign-in asked for it. */
  readAfterConsent: (scope: Scope, mailboxId: string) => Promise<void>
  now: () => Date
  newId: () => string
  newSecretKey: () => string
}

/**
 * Connects a mailbox after the sign-in at its provider, if its mail server accepts the token for that address. Only the
 * user who started the sign-in can finish it.
 * Throws `mailbox_sign_in_not_offered`, `mailbox_sign_in_failed`, `mailbox_refused`, `mailbox_unreachable`.
 */
export function createFinishMailboxSignIn(ports: Ports) {
  return async (scope: Scope, userId: string, given: { code: string; state: string }): Promise<MailboxRow> => {
    const started = ports.states.open(scope, given.state)
    if (started?.userId !== userId || started.expiresAtMs < ports.now().getTime()) {
      throw new AppError('mailbox_sign_in_failed')
    }
    const { provider, emailAddress, codeVerifier } = started
    if (!ports.oauth.isOffered(provider)) throw new AppError('mailbox_sign_in_not_offered')
    const tokens = await trade(ports, provider, { code: given.code, codeVerifier })
    const check = await ports.verifyTokens({ emailAddress, provider, accessToken: tokens.accessToken })
    if (!check.ok) {
      const code = check.kind === 'refused' ? 'mailbox_refused' : 'mailbox_unreachable'
      throw new AppError(code, { detail: check.sentence })
    }
    const saved = await ports.mailboxes.save(scope, {
      id: ports.newId(),
      emailAddress,
      provider,
      server: null,
      appPassword: null,
      tokens,
      secretKey: ports.newSecretKey(),
    })
    if (started.isForReading === true) await ports.readAfterConsent(scope, saved.id)
    return saved
  }
}

async function trade(
  { oauth }: Ports,
  provider: SignInProvider,
  given: { code: string; codeVerifier: string },
): Promise<MailboxTokens> {
  try {
    const tokens = await oauth.finish(provider, given)
    if (tokens !== null) return tokens
  } catch (error) {
    throw new AppError('mailbox_sign_in_failed', { cause: error })
  }
  throw new AppError('mailbox_sign_in_failed')
}
