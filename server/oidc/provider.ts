import * as openid from 'openid-client'

/** A client registration at an OAuth or OpenID provider. */
export interface ProviderRegistration {
  clientId: string
  clientSecret: string
  /** Endpoints are discovered from an issuer's URL at the first use; given metadata is used as it is. */
  endpoints: URL | openid.ServerMetadata
  /** Replaces the network, for a provider inside this process. */
  fetch?: openid.CustomFetch | undefined
}

const timeoutSeconds = 10

/** Returns a function that loads the provider's configuration once. A failed discovery is repeated by the next call. */
export function createProvider(registration: ProviderRegistration): () => Promise<openid.Configuration> {
  let loaded: Promise<openid.Configuration> | null = null
  return () => {
    loaded ??= load(registration).catch((error: unknown) => {
      loaded = null
      throw error
    })
    return loaded
  }
}

/** Builds the authorization URL with PKCE (RFC 7636). */
export async function buildAuthorizationUrl(
  configuration: openid.Configuration,
  codeVerifier: string,
  parameters: Record<string, string>,
): Promise<URL> {
  return openid.buildAuthorizationUrl(configuration, {
    ...parameters,
    code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  })
}

async function load({ clientId, clientSecret, endpoints, fetch }: ProviderRegistration): Promise<openid.Configuration> {
  const authenticate = openid.ClientSecretPost(clientSecret)
  if (!(endpoints instanceof URL)) {
    const configuration = new openid.Configuration(endpoints, clientId, undefined, authenticate)
    configuration.timeout = timeoutSeconds
    return configuration
  }
  // Without TLS only for a provider on this machine: settings.ts refuses any other.
  // oxlint-disable-next-line typescript/no-deprecated -- marked deprecated only to make it conspicuous
  const execute = endpoints.protocol === 'http:' ? [openid.allowInsecureRequests] : []
  const options = { execute, timeout: timeoutSeconds, ...(fetch && { [openid.customFetch]: fetch }) }
  return openid.discovery(endpoints, clientId, undefined, authenticate, options)
}
