import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { interactionPolicy } from 'oidc-provider'
import type { OAuthApplication } from '../../server/oidc/oauth-client.ts'

/** A real authorization server, in the place of Google's or Microsoft's. */
export interface TokenIssuer extends AsyncDisposable {
  application: OAuthApplication
  /** Opens an authorization URL as a browser does, consents, and returns the parameters of the redirect. */
  agree: (url: string) => Promise<URLSearchParams>
  /** The owner of an access token; null for an invalid one. */
  accountOf: (accessToken: string) => Promise<string | null>
  /** Withdraws every consent, as a user does in their account's settings. */
  withdrawAll: () => Promise<void>
  /** How often a new access token was requested. */
  readonly renewalCount: number
  /** While false every request gets 503. */
  isUp: boolean
}

interface Model {
  find: (value: string) => Promise<{ accountId: string; isValid: boolean } | undefined>
}

interface Grant {
  addOIDCScope: (scope: string) => void
  save: () => Promise<string>
  destroy: () => Promise<void>
}

const accountId = 'ann@example.com'
const scopes = [
  'https://mail.google.com/',
  'https://outlook.office.com/SMTP.Send',
  'https://outlook.office.com/IMAP.AccessAsUser.All',
  'offline_access',
]

/** Starts it on an ephemeral port of this machine. A refresh token is valid for one use, as with strict issuers. */
export async function startTokenIssuer(redirectUrl: string, accessSeconds = 3600): Promise<TokenIssuer> {
  const clientId = 'sendwright-test'
  const clientSecret = randomBytes(24).toString('hex')
  const grants: Grant[] = []
  let provide: RequestListener = () => undefined
  let renewalCount = 0
  let isUp = true
  const server = createServer((request, response) => {
    if (!isUp) response.writeHead(503).end()
    else provide(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }))
  const provider: Provider & { AccessToken?: Model; on?: (event: string, listen: () => void) => void } = new Provider(
    issuer,
    {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUrl],
          grant_types: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
      scopes,
      cookies: { keys: [randomBytes(16).toString('hex')] },
      features: { devInteractions: { enabled: false } },
      pkce: { required: () => true },
      issueRefreshToken: () => true,
      rotateRefreshToken: true,
      interactions: { policy, url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      ttl: {
        AccessToken: accessSeconds,
        AuthorizationCode: 60,
        Grant: 9999,
        Interaction: 600,
        RefreshToken: 9999,
        Session: 600,
      },
      findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
      async loadExistingGrant({ oidc }: { oidc: { client: { clientId: string }; session: { accountId: string } } }) {
        const about = { clientId: oidc.client.clientId, accountId: oidc.session.accountId }
        const grant = new provider.Grant(about) as unknown as Grant
        grant.addOIDCScope(scopes.join(' '))
        await grant.save()
        grants.push(grant)
        return grant
      },
    },
  )
  provider.on?.('grant.success', () => (renewalCount += 1))
  const callback = provider.callback()
  provide = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) callback(request, response)
    else void provider.interactionFinished(request, response, { login: { accountId }, consent: {}, select_account: {} })
  }

  return {
    application: { clientId, clientSecret, issuer: new URL(issuer) },
    get renewalCount() {
      return renewalCount
    },
    set isUp(value: boolean) {
      isUp = value
    },
    async agree(url) {
      const cookies = new Map<string, string>()
      for (let at = url; ;) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        const next = response.headers.get('location')
        if (next === null) throw new Error(`The issuer responded ${response.status}: ${await response.text()}`)
        at = new URL(next, at).href
        if (at.startsWith(redirectUrl)) return new URL(at).searchParams
      }
    },
    async accountOf(accessToken) {
      const found = await provider.AccessToken?.find(accessToken)
      return found?.isValid === true ? found.accountId : null
    },
    async withdrawAll() {
      for (const grant of grants.splice(0)) await grant.destroy()
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}
