import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseAddress } from '../../../contract/core/address.ts'
import { nameMaxChars } from '../../../contract/account/account.limits.ts'
import { escapeHtml } from '../../../contract/mail/merge-variables.ts'
import { standInPaths, type StandIn } from '../../domain/accounts/google.ts'
import { isLoopbackRequest } from '../core/loopback-request.ts'

/**
 * Sign-in page of the sandbox's substitute for Google: it takes any address without proof, so it is served to loopback
 * requests only.
 */
export function addGoogleStandIn(app: FastifyInstance, issuer: StandIn): void {
  app.get(standInPaths.authorize, (request, reply) => {
    if (isKnown(request, issuer)) return show(reply, queryOf(request), null)
    return refuse(reply)
  })

  app.get(standInPaths.continue, (request, reply) => {
    const query = queryOf(request)
    const asked = isKnown(request, issuer) ? issuer.read(query) : null
    if (asked === null) return refuse(reply)
    void reply.headers({ 'cache-control': 'no-store', 'cross-origin-opener-policy': 'unsafe-none' })
    if (query.get('act') === 'cancel') return reply.redirect(issuer.answer(asked, null))
    const address = parseAddress(query.get('email') ?? '')
    if (!address.ok) return show(reply, query, 'Write one address, such as ada@example.com.')
    const [firstName, lastName] = [query.get('first_name') ?? '', query.get('last_name') ?? '']
    return reply.redirect(issuer.answer(asked, { email: address.address, firstName, lastName }))
  })
}

const queryOf = (request: FastifyRequest) => new URL(request.url, 'http://localhost').searchParams

function isKnown(request: FastifyRequest, issuer: StandIn): boolean {
  return isLoopbackRequest(request) && issuer.read(queryOf(request)) !== null
}

function refuse(reply: FastifyReply) {
  reply.callNotFound()
  return reply
}

const style = `
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#faf9f7;color:#1c1b1a;font:17px/1.6 system-ui,sans-serif}
main{box-sizing:border-box;width:100%;max-width:28rem;padding:2rem}
.mark{margin:0 0 1.5rem;padding:.75rem 1rem;border:2px dashed #8a5a00;border-radius:.5rem;font-size:.95rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:0 0 1.25rem}
label{display:block;margin:0 0 1rem;font-weight:600}
input{box-sizing:border-box;width:100%;margin-top:.25rem;padding:.6rem .75rem;font:inherit;font-weight:400;color:inherit;background:transparent;border:1px solid #6b6863;border-radius:.5rem}
.problem{color:#a3180d;font-weight:600}
button{font:inherit;font-weight:600;margin-right:.5rem;padding:.65rem 1.4rem;border:1px solid #1c1b1a;border-radius:.5rem;background:#1c1b1a;color:#fff;cursor:pointer}
button[value=cancel]{background:transparent;color:inherit}
:focus-visible{outline:3px solid #3b6ef5;outline-offset:2px}
@media (prefers-color-scheme:dark){body{background:#191817;color:#f2f0ed}.mark{border-color:#e0a93b}.problem{color:#ff9d92}
input{border-color:#a09c95}button{background:#f2f0ed;color:#191817;border-color:#f2f0ed}}
`

/** Nothing is loaded from anywhere, nothing runs, and the one form leads back to this server. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const passedOn = ['client_id', 'redirect_uri', 'state', 'nonce', 'code_challenge']
const samplePerson = { email: 'ada@example.com', first_name: 'Ada', last_name: 'North' }

function show(reply: FastifyReply, query: URLSearchParams, problem: string | null) {
  const valueOf = (name: keyof typeof samplePerson) => escapeHtml(query.get(name) ?? samplePerson[name])
  const hidden = passedOn.map(
    (name) => `<input type="hidden" name="${name}" value="${escapeHtml(query.get(name) ?? '')}">`,
  )
  void reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': policy,
    'cache-control': 'no-store',
    // A window that a page opened to be allowed passes here, and must not be cut off from it.
    'cross-origin-opener-policy': 'unsafe-none',
  })
  return reply.status(problem === null ? 200 : 422).send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>Development sign-in</title><style>${style}</style></head><body><main>
<p class="mark"><strong>For development only.</strong> This is not Google. The sandbox shows this page because no Google settings are set.</p>
<h1>Choose an account</h1><p>Sign in with any address. No password is needed, and no mail is sent.</p>
<form method="get" action="${standInPaths.continue}">${hidden.join('')}
${problem === null ? '' : `<p class="problem" role="alert">${problem}</p>`}
<label>Email <input name="email" type="email" required autocomplete="off" value="${valueOf('email')}"></label>
<label>First name <input name="first_name" maxlength="${nameMaxChars}" autocomplete="off" value="${valueOf('first_name')}"></label>
<label>Last name <input name="last_name" maxlength="${nameMaxChars}" autocomplete="off" value="${valueOf('last_name')}"></label>
<button type="submit">Continue</button><button type="submit" name="act" value="cancel" formnovalidate>Cancel</button>
</form></main></body></html>`)
}
