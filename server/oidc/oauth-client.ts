import * as openid from 'openid-client'
import type { SignInProvider } from '../../contract/mail/config.ts'
import type { MailboxTokens } from '../domain/mailboxes/mailbox-tokens.ts'

/** An application that the operator has registered with a provider. */
export interface OAuthApplication {
  clientId: string
  clientSecret: string
  /** In place of the provider's own endpoints; its description is asked for at the first use. Null: the provider's. */
  issuer: URL | null
}

/** What came of asking for a new access token. `ended`: the permission is gone, and only its owner can give it again. */
export type Renewal = { kind: 'renewed'; tokens: MailboxTokens } | { kind: 'ended' }

export type OAuthClient = ReturnType<typeof createOAuthClient>

const timeoutSeconds = 10
/** Where a provider does not say how long an access token lives (RFC 6749 §5.1). */
const lifeDefaultSeconds = 3600

const providers = {
  // https://developers.google.com/workspace/gmail/imap/xoauth2-protocol; without consent asked anew Google gives no refresh token.
  gmail: {
    scope: 'https://mail.google.com/',
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
    parameters: { prompt: 'select_account' },
    metadata: {
      issuer: 'https://login.microsoftonline.com/common/v2.0',
      authorization_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      token_endpoint: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    },
  },
} as const satisfies Record<SignInProvider, { scope: string; parameters: object; metadata: openid.ServerMetadata }>

/**
 * Permissions to send from people's mailboxes, by their providers: authorization code with PKCE (RFC 6749 §4.1, RFC 7636)
 * and refresh tokens. `redirectUrl` is where a provider leads back to.
 */
export function createOAuthClient(
  applications: Readonly<Record<SignInProvider, OAuthApplication | null>>,
  redirectUrl: string,
  nowMs: () => number,
) {
  const configurations = new Map<SignInProvider, Promise<openid.Configuration>>()

  const configure = (provider: SignInProvider): Promise<openid.Configuration> => {
    const application = applications[provider]
    if (application === null) throw new Error(`No application is registered for ${provider}.`)
    let known = configurations.get(provider)
    if (known === undefined) {
      known = describe(provider, application)
      configurations.set(provider, known)
      known.catch(() => configurations.delete(provider)) // The next use asks again; this one hears of it.
    }
    return known
  }

  const read = (answer: openid.TokenEndpointResponse, before: string | null): MailboxTokens => {
    const refreshToken = answer.refresh_token ?? before
    if (refreshToken === null) throw new Error('The provider gave no refresh token.')
    const lifeMs = (answer.expires_in ?? lifeDefaultSeconds) * 1000
    return { refreshToken, accessToken: answer.access_token, expiresAtMs: nowMs() + lifeMs }
  }

  return {
    /** Whether the operator has registered an application with this provider. */
    isOffered: (provider: SignInProvider): boolean => applications[provider] !== null,

    newCodeVerifier: (): string => openid.randomPKCECodeVerifier(),

    /** Where to lead the person's browser. */
    async start(
      provider: SignInProvider,
      given: { emailAddress: string; state: string; codeVerifier: string },
    ): Promise<string> {
      const { scope, parameters } = providers[provider]
      const url = openid.buildAuthorizationUrl(await configure(provider), {
        ...parameters,
        redirect_uri: redirectUrl,
        scope,
        login_hint: given.emailAddress,
        state: given.state,
        code_challenge: await openid.calculatePKCECodeChallenge(given.codeVerifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },

    /** Trades the code that the browser brought back. Null where the provider does not take it. */
    async finish(
      provider: SignInProvider,
      given: { code: string; codeVerifier: string },
    ): Promise<MailboxTokens | null> {
      const configuration = await configure(provider)
      const url = new URL(redirectUrl)
      url.searchParams.set('code', given.code)
      if (applications[provider]?.issuer) url.searchParams.set('iss', configuration.serverMetadata().issuer)
      try {
        const answer = await openid.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: given.codeVerifier,
          // It was sealed for its owner and is opened before this (oauth-state.ts).
          // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out
          expectedState: openid.skipStateCheck,
        })
        return read(answer, null)
      } catch (error) {
        if (error instanceof openid.ResponseBodyError) return null
        throw error
      }
    },

    /** Asks for a new access token. Rejects where the provider cannot be asked now. */
    async renew(provider: SignInProvider, tokens: MailboxTokens): Promise<Renewal> {
      try {
        const answer = await openid.refreshTokenGrant(await configure(provider), tokens.refreshToken)
        return { kind: 'renewed', tokens: read(answer, tokens.refreshToken) }
      } catch (error) {
        if (error instanceof openid.ResponseBodyError && error.error === 'invalid_grant') return { kind: 'ended' }
        throw error
      }
    },
  }
}

async function describe(provider: SignInProvider, application: OAuthApplication): Promise<openid.Configuration> {
  const { clientId, clientSecret, issuer } = application
  const authenticate = openid.ClientSecretPost(clientSecret)
  if (issuer === null) {
    const configuration = new openid.Configuration(providers[provider].metadata, clientId, undefined, authenticate)
    configuration.timeout = timeoutSeconds
    return configuration
  }
  // Without TLS for an issuer on this machine only: settings.ts refuses any other.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out, not because it goes
  const execute = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []
  return openid.discovery(issuer, clientId, undefined, authenticate, { execute, timeout: timeoutSeconds })
}
