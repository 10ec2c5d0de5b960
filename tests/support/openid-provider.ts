import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { interactionPolicy } from 'oidc-provider'

/** The provider's claims about a user; `sub` identifies them. */
export interface OpenIdUser {
  sub: string
  email: string
  email_verified: boolean
  given_name?: string
  family_name?: string
}

/** A real OpenID provider, in Google's place. */
export interface OpenIdProvider extends AsyncDisposable {
  issuer: string
  /** Settings of a server that signs in with it. */
  environment: Record<string, string>
  /** Another client of the provider, with the same redirect address. */
  otherClientId: string
  /** The signed-in user; the consent page accepts 'Continue' or 'Cancel'. */
  person: OpenIdUser
  /** Registers a server's redirect URL; before that the provider has none. */
  admit: (redirectUrl: string) => void
  /** While false every request but the pages gets 503. */
  isUp: boolean
}

const client = { id: 'sendwright-test', secret: randomBytes(24).toString('hex') }
const otherClientId = 'somebody-else'

/** Starts the provider on an ephemeral port of this machine. */
export async function startOpenIdProvider(person: OpenIdUser): Promise<OpenIdProvider> {
  let provide: RequestListener = (_request, response) => response.writeHead(503).end()
  const server = createServer((request, response) => {
    if (!state.isUp) response.writeHead(503).end()
    else provide(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const state: OpenIdProvider = {
    issuer,
    environment: { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret },
    otherClientId,
    person,
    isUp: true,
    admit(redirectUrl) {
      const provider = createProvider(issuer, redirectUrl, state)
      const callback = provider.callback()
      provide = (request, response) => {
        const choice = /^\/interaction\/[\w-]+(?:\/(continue|cancel))?$/.exec(request.url ?? '')
        if (choice === null) callback(request, response)
        else if (choice[1] === undefined) response.setHeader('content-type', 'text/html').end(page(request.url ?? ''))
        else {
          const result =
            choice[1] === 'continue'
              ? { login: { accountId: state.person.sub }, consent: {}, select_account: {} }
              : { error: 'access_denied', error_description: 'The person pressed Cancel.' }
          void provider.interactionFinished(request, response, result)
        }
      }
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
  return state
}

function page(path: string): string {
  return `<!doctype html><html lang="en"><title>Choose an account</title><h1>Choose an account</h1>
<a href="${path}/continue">Continue</a> <a href="${path}/cancel">Cancel</a></html>`
}

function createProvider(issuer: string, redirectUrl: string, state: OpenIdProvider): Provider {
  const clientOf = (id: string, secret: string) => ({
    client_id: id,
    client_secret: secret,
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'client_secret_post',
  })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }))
  const provider: Provider = new Provider(issuer, {
    clients: [clientOf(client.id, client.secret), clientOf(otherClientId, randomBytes(24).toString('hex'))],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    // As Google does: the ID token contains the claims.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { policy, url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...state.person, sub }) }),
    async loadExistingGrant({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  return provider
}
