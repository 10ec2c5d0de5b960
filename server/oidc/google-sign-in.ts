import * as openid from 'openid-client'
import type { GoogleFailure, GooglePerson, GoogleTry } from '../domain/accounts/google.ts'
import { buildAuthorizationUrl, createProvider } from './provider.ts'

/** GOOGLE_ISSUER, GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. */
export interface GoogleClient {
  issuer: URL
  clientId: string
  clientSecret: string
  /** Replaces the network for calls to the issuer. */
  fetch?: openid.CustomFetch
}

export type Google = ReturnType<typeof createGoogle>

/**
 * Signs in with Google, or any other OpenID provider that GOOGLE_ISSUER names: authorization code with PKCE, state and
 * nonce (OpenID Connect Core 1.0 §3.1, RFC 7636). Discovery runs at the first sign-in, so the server starts without the
 * provider. `onError` receives the error of a failed sign-in, unless the person cancelled it.
 */
export function createGoogle(client: GoogleClient | null, redirectUrl: string, onError: (error: unknown) => void) {
  const discover = client && createProvider({ ...client, endpoints: client.issuer })

  return {
    /** Returns the authorization URL and the values to verify afterwards. */
    async start(): Promise<{ url: URL; started: GoogleTry } | { failure: GoogleFailure }> {
      if (discover === null) return { failure: 'not_set_up' }
      try {
        const configuration = await discover()
        const started: GoogleTry = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          codeVerifier: openid.randomPKCECodeVerifier(),
        }
        const url = await buildAuthorizationUrl(configuration, started.codeVerifier, {
          redirect_uri: redirectUrl,
          scope: 'openid email profile',
          state: started.state,
          nonce: started.nonce,
          prompt: 'select_account',
        })
        return { url, started }
      } catch (error) {
        onError(error)
        return { failure: 'unreachable' }
      }
    },

    /** Exchanges the redirect's query (`search`) for the person's identity. */
    async finish(
      search: string,
      { state, nonce, codeVerifier }: GoogleTry,
    ): Promise<{ person: GooglePerson } | { failure: GoogleFailure }> {
      if (discover === null) return { failure: 'not_set_up' }
      try {
        const tokens = await openid.authorizationCodeGrant(await discover(), new URL(search, redirectUrl), {
          pkceCodeVerifier: codeVerifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        return claims === undefined ? { failure: 'refused' } : { person: toPerson(claims) }
      } catch (error) {
        if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied') {
          return { failure: 'cancelled' }
        }
        onError(error)
        return { failure: isNetworkTrouble(error) ? 'unreachable' : 'refused' }
      }
    },
  }
}

function toPerson(claims: openid.IDToken): GooglePerson {
  const text = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '')
  const isVerified = claims['email_verified'] === true
  return {
    issuer: claims.iss,
    subject: claims.sub,
    verifiedEmail: isVerified ? text('email') : null,
    firstName: text('given_name') || text('name'),
    lastName: text('family_name'),
  }
}

/** `fetch` throws TypeError for what the network does, and openid-client wraps timeouts. */
function isNetworkTrouble(error: unknown): boolean {
  return error instanceof TypeError || (error as { code?: string }).code === 'OAUTH_TIMEOUT'
}
