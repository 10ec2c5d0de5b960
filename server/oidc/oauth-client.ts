import * as openid from 'openid-client'
import type { SignInProvider } from '../../contract/mail/config.ts'
import type { MailboxTokens } from '../domain/mailboxes/mailbox-tokens.ts'
import { buildAuthorizationUrl, createProvider } from './provider.ts'

/** An application that the operator has registered with a provider. */
export interface OAuthApplication {
  clientId: string
  clientSecret: string
  /** An issuer whose endpoints are discovered at the first use, in place of the provider's. Null: the provider's own. */
  issuer: URL | null
}

/** Result of renewing an access token. `ended`: the permission was revoked, and only its owner can grant it again. */
export type Renewal = { kind: 'renewed'; tokens: MailboxTokens } | { kind: 'ended' }

export type OAuthClient = ReturnType<typeof createOAuthClient>

/** If the provider does not send `expires_in` (RFC 6749 §5.1). */
const lifeDefaultSeconds = 3600

const providers = {
  // https://developers.google.com/workspace/gmail/imap/xoauth2-protocol; without a new consent Google returns no refresh token.
  gmail: {
    scope: 'https://mail.google.com/',
    readingScope: '',
    parameters: { access_type: 'offline', prompt: 'consent' },
    metadata: {
      issuer: 'https://accounts.google.com',
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      token_endpoint: 'https://oauth2.googleapis.com/token',
    },
  },
  // https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
  outlook: {
    scope: 'https://outlook.office.com/SMTP.Send offline_access',
    readingScope: 'https://outlook.office.com/IMAP.AccessAsUser.All',
    parameters: { prompt: 'select_account' },
    metadata: {
      issuer: 'https://login.microsoftonline.com/common/v2.0',
      authorization_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      token_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    },
  },
} as const satisfies Record<
  SignInProvider,
  { scope: string; readingScope: string; parameters: object; metadata: openid.ServerMetadata }
>

/**
 * OAuth client for sending from mailboxes of their providers: authorization code with PKCE (RFC 6749 §4.1, RFC 7636) and
 * refresh tokens.
 */
export function createOAuthClient(
  applications: Readonly<Record<SignInProvider, OAuthApplication | null>>,
  redirectUrl: string,
  nowMs: () => number,
) {
  const configurations = { gmail: registered('gmail'), outlook: registered('outlook') }

  function registered(provider: SignInProvider) {
    const application = applications[provider]
    if (application === null) return () => Promise.reject(new Error(`No application is registered for ${provider}.`))
    const { clientId, clientSecret, issuer } = application
    return createProvider({ clientId, clientSecret, endpoints: issuer ?? providers[provider].metadata })
  }

  const read = (answer: openid.TokenEndpointResponse, before: MailboxTokens | null): MailboxTokens => {
    const refreshToken = answer.refresh_token ?? before?.refreshToken ?? null
    if (refreshToken === null) throw new Error('The provider returned no refresh token.')
    const lifeMs = (answer.expires_in ?? lifeDefaultSeconds) * 1000
    const canRead = answer.scope === undefined ? before?.canRead : answer.scope.includes('IMAP.AccessAsUser.All')
    return {
      refreshToken,
      accessToken: answer.access_token,
      expiresAtMs: nowMs() + lifeMs,
      ...(canRead === true && { canRead }),
    }
  }

  return {
    /** Whether the operator has registered an application with this provider. */
    isOffered: (provider: SignInProvider): boolean => applications[provider] !== null,

    newCodeVerifier: (): string => openid.randomPKCECodeVerifier(),

    /** Returns the authorization URL. */
    async start(
      provider: SignInProvider,
      given: { emailAddress: string; state: string; codeVerifier: string; isForReading?: boolean },
    ): Promise<string> {
      const { readingScope, parameters } = providers[provider]
      const scope =
        given.isForReading === true ? `${readingScope} ${providers[provider].scope}`.trim() : providers[provider].scope
      const url = await buildAuthorizationUrl(await configurations[provider](), given.codeVerifier, {
        ...parameters,
        redirect_uri: redirectUrl,
        scope,
        login_hint: given.emailAddress,
        state: given.state,
      })
      return url.href
    },

    /** Exchanges the authorization code for tokens. Null if the provider rejects it. */
    async finish(
      provider: SignInProvider,
      given: { code: string; codeVerifier: string },
    ): Promise<MailboxTokens | null> {
      const configuration = await configurations[provider]()
      const url = new URL(redirectUrl)
      url.searchParams.set('code', given.code)
      if (applications[provider]?.issuer) url.searchParams.set('iss', configuration.serverMetadata().issuer)
      try {
        const answer = await openid.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: given.codeVerifier,
          // The state is encrypted and was verified before (oauth-state.ts).
          // oxlint-disable-next-line typescript/no-deprecated -- marked deprecated only to make it conspicuous
          expectedState: openid.skipStateCheck,
        })
        return read(answer, null)
      } catch (error) {
        if (error instanceof openid.ResponseBodyError) return null
        throw error
      }
    },

    /** Renews the access token. Rejects if the provider is unreachable. */
    async renew(provider: SignInProvider, tokens: MailboxTokens): Promise<Renewal> {
      try {
        const answer = await openid.refreshTokenGrant(await configurations[provider](), tokens.refreshToken)
        return { kind: 'renewed', tokens: read(answer, tokens) }
      } catch (error) {
        if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return { kind: 'ended' }
        throw error
      }
    },
  }
}
