import * as openid from 'openid-client'
import type { GoogleFailure, GooglePerson, GoogleTry } from '../domain/accounts/google.ts'

/** GOOGLE_ISSUER, GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. */
export interface GoogleClient {
  issuer: URL
  clientId: string
  clientSecret: string
  /** Makes the calls to the issuer in place of the network's. */
  fetch?: openid.CustomFetch
}

export type Google = ReturnType<typeof createGoogle>

/** Seconds to wait for an answer of Google's. */
const timeoutSeconds = 10

/**
 * Signs in with Google, or any other OpenID provider that GOOGLE_ISSUER names: authorization code with PKCE, state and
 * nonce (OpenID Connect Core 1.0 §3.1, RFC 7636). `redirectUrl` is where the provider leads back to. The provider is
 * asked what it can do at the first try, not at the start: a server starts without it. `onTrouble` is told why a try did
 * not work, where that was nobody's choice.
 */
export function createGoogle(client: GoogleClient | null, redirectUrl: string, onTrouble: (error: unknown) => void) {
  let discovered: Promise<openid.Configuration> | null = null

  function discover({ issuer, clientId, clientSecret, fetch }: GoogleClient): Promise<openid.Configuration> {
    // Without TLS for a provider on this machine only: settings.ts refuses any other.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out, not because it goes
    const execute = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []
    discovered ??= openid
      .discovery(issuer, clientId, undefined, openid.ClientSecretPost(clientSecret), {
        execute,
        timeout: timeoutSeconds,
        ...(fetch && { [openid.customFetch]: fetch }),
      })
      .catch((error: unknown) => {
        discovered = null // The next try asks again.
        throw error
      })
    return discovered
  }

  return {
    /** Where to lead the browser, and what it must bring back. */
    async start(): Promise<{ url: URL; started: GoogleTry } | { failure: GoogleFailure }> {
      if (client === null) return { failure: 'not_set_up' }
      try {
        const configuration = await discover(client)
        const started: GoogleTry = {
          state: openid.randomState(),
          nonce: openid.randomNonce(),
          codeVerifier: openid.randomPKCECodeVerifier(),
        }
        const url = openid.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUrl,
          scope: 'openid email profile',
          code_challenge: await openid.calculatePKCECodeChallenge(started.codeVerifier),
          code_challenge_method: 'S256',
          state: started.state,
          nonce: started.nonce,
          prompt: 'select_account',
        })
        return { url, started }
      } catch (error) {
        onTrouble(error)
        return { failure: 'unreachable' }
      }
    },

    /** Trades what the browser brought back (`search`, the query of the address) for who it is. */
    async finish(
      search: string,
      { state, nonce, codeVerifier }: GoogleTry,
    ): Promise<{ person: GooglePerson } | { failure: GoogleFailure }> {
      if (client === null) return { failure: 'not_set_up' }
      try {
        const tokens = await openid.authorizationCodeGrant(await discover(client), new URL(search, redirectUrl), {
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
        onTrouble(error)
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
