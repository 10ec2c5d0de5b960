import type { Provider } from '../../../contract/core/limits.ts'
import type { MailboxSecrets } from '../../domain/mailboxes/mailbox.ts'
import { mailboxSentences } from '../../domain/smtp/mailbox-messages.ts'
import { isFresh, type MailboxTokens } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import type { SmtpLogin } from '../smtp/smtp-session.ts'

interface Ports {
  oauth: Pick<OAuthClient, 'isOffered' | 'renew'>
  mailboxes: {
    /** One process at a time; `renew` is not asked where another has put others in place of these meanwhile. */
    renewTokens: (
      mailboxId: string,
      stale: MailboxTokens,
      renew: (tokens: MailboxTokens) => Promise<MailboxTokens | null>,
    ) => Promise<MailboxTokens | null>
    /** With a version only if its credentials are still those. */
    pause: (mailboxId: string, reason: string, forMs: number | null, credentialsVersion?: number) => Promise<boolean>
  }
  nowMs: () => number
}

/**
 * How mailboxes sign in that were connected at their provider: with an access token that is renewed before it ends, and
 * once more where the mail server does not take it. Gives null, the mailbox paused with the reason, where the permission
 * is gone; rejects where the provider cannot be asked now.
 */
export function createBearerLogin({ oauth, mailboxes, nowMs }: Ports) {
  const renew = async (secrets: MailboxSecrets, stale: MailboxTokens): Promise<MailboxTokens | null> => {
    const { mailboxId, provider, credentialsVersion } = secrets
    if (!isSignInProvider(provider) || !oauth.isOffered(provider)) {
      await mailboxes.pause(mailboxId, mailboxSentences.oauthNotOffered, null, credentialsVersion)
      return null
    }
    const renewed = await mailboxes.renewTokens(mailboxId, stale, async (tokens) => {
      const renewal = await oauth.renew(provider, tokens)
      return renewal.kind === 'renewed' ? renewal.tokens : null
    })
    if (renewed === null) await mailboxes.pause(mailboxId, mailboxSentences.oauthEnded, null, credentialsVersion)
    return renewed
  }

  return async (secrets: MailboxSecrets, tokens: MailboxTokens): Promise<SmtpLogin | null> => {
    let current: MailboxTokens | null = tokens
    if (!isFresh(tokens, nowMs())) current = await renew(secrets, tokens)
    if (current === null) return null
    const known = current
    return {
      user: secrets.emailAddress,
      pass: known.accessToken,
      async renew() {
        const renewed = await renew(secrets, known)
        // Paused by now; what the mail server says to the old token ends the conversation.
        return (renewed ?? known).accessToken
      },
    }
  }
}

function isSignInProvider(provider: Provider | 'system'): provider is 'gmail' | 'outlook' {
  return provider === 'gmail' || provider === 'outlook'
}
