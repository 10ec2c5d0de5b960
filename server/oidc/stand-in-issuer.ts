import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CustomFetch } from 'openid-client'
import { standInPaths, type StandIn, type StandInPerson, type StandInRequest } from '../domain/accounts/google.ts'
import type { GoogleClient } from './google-sign-in.ts'

/** An OpenID provider for development that signs in any given person. Only the sandbox has one. */
interface StandInIssuer extends StandIn {
  /** The registration of its client; its calls are answered in this process. */
  client: GoogleClient & { fetch: CustomFetch }
}

const codeLifeMs = 60_000

/** Creates the issuer of a sandbox at `publicUrl`, with one client that redirects to `redirectUrl`. */
export function createStandInIssuer(publicUrl: string, redirectUrl: string, now: () => Date): StandInIssuer {
  const issuer = new URL(publicUrl + standInPaths.issuer)
  const [clientId, clientSecret] = ['sendwright-sandbox', randomBytes(24).toString('base64url')]
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const codes = new LRUCache<string, { request: StandInRequest; person: StandInPerson; endsAt: number }>({ max: 1000 })

  const documents: Record<string, object> = {
    '/.well-known/openid-configuration': {
      issuer: issuer.href,
      authorization_endpoint: publicUrl + standInPaths.authorize,
      token_endpoint: `${issuer.href}/token`,
      jwks_uri: `${issuer.href}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
    },
    '/keys': { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] },
  }

  /** Signs an ID token as Google does; `sub` is derived from the address. */
  function idTokenOf({ email, firstName, lastName }: StandInPerson, nonce: string): string {
    const issuedAt = Math.floor(now().getTime() / 1000)
    const claims = {
      iss: issuer.href,
      aud: clientId,
      sub: createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32),
      iat: issuedAt,
      exp: issuedAt + 600,
      nonce,
      email,
      email_verified: true,
      given_name: firstName,
      family_name: lastName,
    }
    const parts = [{ alg: 'ES256', typ: 'JWT' }, claims].map((part) => encode(JSON.stringify(part)))
    const signature = sign('sha256', Buffer.from(parts.join('.')), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return [...parts, encode(signature)].join('.')
  }

  /** Exchanges a code for the ID token, once (RFC 6749 §4.1.3, RFC 7636 §4.6). */
  function exchangeCode(form: URLSearchParams): Response {
    const code = form.get('code') ?? ''
    const granted = codes.get(code)
    codes.delete(code)
    const challenge = encode(
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest(),
    )
    const isClient = form.get('client_id') === clientId && form.get('client_secret') === clientSecret
    const isSame = form.get('redirect_uri') === redirectUrl && granted?.request.codeChallenge === challenge
    if (granted === undefined || !isClient || !isSame || granted.endsAt < now().getTime()) {
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    }
    return Response.json({
      access_token: randomBytes(24).toString('base64url'),
      token_type: 'Bearer',
      expires_in: 600,
      id_token: idTokenOf(granted.person, granted.request.nonce),
    })
  }

  return {
    client: {
      issuer,
      clientId,
      clientSecret,
      fetch: (url, { body }) => {
        const path = url.slice(issuer.href.length)
        if (path === '/token') return Promise.resolve(exchangeCode(body as URLSearchParams))
        const document = documents[path]
        return Promise.resolve(document ? Response.json(document) : new Response(null, { status: 404 }))
      },
    },
    read(query) {
      const isOurs = query.get('client_id') === clientId && query.get('redirect_uri') === redirectUrl
      const [state, nonce, codeChallenge] = [query.get('state'), query.get('nonce'), query.get('code_challenge')]
      return isOurs && state && nonce && codeChallenge ? { state, nonce, codeChallenge } : null
    },
    answer(request, person) {
      const answer = new URLSearchParams({ state: request.state })
      if (person === null) answer.set('error', 'access_denied')
      else {
        const code = randomBytes(24).toString('base64url')
        codes.set(code, { request, person, endsAt: now().getTime() + codeLifeMs })
        answer.set('code', code)
      }
      return `${redirectUrl}?${answer.toString()}`
    },
  }
}

const encode = (data: string | Buffer) => Buffer.from(data).toString('base64url')
