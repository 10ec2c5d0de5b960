import type { Provider } from '../../../contract/mail/config.limits.ts'
import type { MailboxSecrets } from '../../domain/mailboxes/mailbox.ts'
import { mailboxSentences } from '../../../contract/mail/mailbox-sentences.ts'
import { isFresh, type MailboxTokens } from '../../domain/mailboxes/mailbox-tokens.ts'
import type { OAuthClient } from '../../oidc/oauth-client.ts'
import type { SmtpLogin } from '../smtp/smtp-session.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  oauth: Pick<OAuthClient, 'isOffered' | 'renew'>
  mailboxes: {
    /** Locks the tokens; `renew` is not called if another process has already replaced them. */
    renewTokens: (
      mailbox: MailboxKey,
      stale: MailboxTokens,
      renew: (tokens: MailboxTokens) => Promise<MailboxTokens | null>,
    ) => Promise<MailboxTokens | null>
    /** With a version: only if the credentials still have it. */
    pause: (mailbox: MailboxKey, reason: string, forMs: number | null, credentialsVersion?: number) => Promise<boolean>
  }
  nowMs: () => number
}

/**
 * Creates the XOAUTH2 login of mailboxes connected by OAuth. The access token is renewed before it expires, and once more
 * if the mail server rejects it. Returns null after pausing the mailbox if the permission was revoked; rejects if the
 * provider is unreachable.
 */
export function createBearerLogin({ oauth, mailboxes, nowMs }: Ports) {
  const renew = async (secrets: MailboxSecrets, stale: MailboxTokens): Promise<MailboxTokens | null> => {
    const { provider, credentialsVersion } = secrets
    if (!isSignInProvider(provider) || !oauth.isOffered(provider)) {
      await mailboxes.pause(secrets, mailboxSentences.oauthNotOffered, null, credentialsVersion)
      return null
    }
    const renewed = await mailboxes.renewTokens(secrets, stale, async (tokens) => {
      const renewal = await oauth.renew(provider, tokens)
      return renewal.kind === 'renewed' ? renewal.tokens : null
    })
    if (renewed === null) await mailboxes.pause(secrets, mailboxSentences.oauthEnded, null, credentialsVersion)
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
        // The mailbox is paused now; the server's reply to the old token ends the session.
        return (renewed ?? known).accessToken
      },
    }
  }
}

function isSignInProvider(provider: Provider | 'system'): provider is 'gmail' | 'outlook' {
  return provider === 'gmail' || provider === 'outlook'
}
