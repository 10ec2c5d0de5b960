import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { operations } from '../../../contract/core/operations.ts'
import { nextCursorHeader, totalCountHeader } from '../../../contract/core/paging.ts'

interface CorsParts {
  /** Whether any embed allows an origin. */
  isRegistered: (origin: string) => Promise<boolean>
}

const allowedHeaders = ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Api-Key']
const exposedHeaders = ['Retry-After', 'Idempotency-Replayed', totalCountHeader, nextCursorHeader]
const preflightSeconds = 600

const places = Map.groupBy(
  operations.filter(({ embed }) => embed !== undefined),
  ({ path }) => path,
)
const openPaths = [...places].map(([path, list]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  methods: list.map(({ method }) => method),
}))

/**
 * Lets pages of other sites read the answers of the calls that embeds make, and of no other (embed.md). A preflight carries
 * no token, so it allows every registered origin; the call itself is bound to its own, and answers a wrong one without the
 * header. No credentials: nothing of ours goes by cookie there.
 */
export function addEmbedCors(app: FastifyInstance, { isRegistered }: CorsParts): void {
  // Not an async function: what it has nothing to do with, most of all, must not wait for a microtask before its body is read.
  app.addHook('onRequest', (request, reply, done) => {
    const methods = request.method === 'OPTIONS' ? openMethods(request) : []
    const isPreflight = methods.length > 0 && request.headers['access-control-request-method'] !== undefined
    if (!isPreflight && request.routeOptions.config.operation?.embed === undefined) done()
    else void open(request, reply, isPreflight ? methods : null).then((isAnswered) => isAnswered || done(), done)
  })

  /** Sets what a page of another site may do; answers a preflight, which `methods` are for, itself. */
  const open = async (request: FastifyRequest, reply: FastifyReply, methods: string[] | null): Promise<boolean> => {
    const { origin } = request.headers
    void reply.header('vary', 'Origin')
    // Other keys of the hosted data backend are of no use in other sites' pages.
    const isClosed =
      request.routeOptions.config.operation?.access === 'hosted' &&
      !String(request.headers['x-api-key']).startsWith('pk_')
    const isOpen = methods === null && tellsEveryPage(request)
    if (origin === undefined || origin === 'null' || isClosed || !(isOpen || (await isRegistered(origin)))) {
      if (methods !== null) throw new AppError('embed_origin_refused')
      return false
    }
    void reply.header('access-control-allow-origin', origin)
    if (methods === null) {
      void reply.header('access-control-expose-headers', exposedHeaders.join(', '))
      return false
    }
    void reply
      .headers({
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': allowedHeaders.join(', '),
        'access-control-max-age': preflightSeconds,
      })
      .status(204)
      .send()
    return true
  }
}

/** A page that may not make the call may not read the answer either. */
export function closeToPage(error: AppError, reply: FastifyReply): void {
  if (error.code !== 'embed_origin_refused' && error.code !== 'token_in_foreign_page') return
  if (tellsEveryPage(reply.request)) return
  void reply.removeHeader('access-control-allow-origin')
  void reply.removeHeader('access-control-expose-headers')
}

/** Whether a request comes from a page of this server, according to its headers. */
export function createIsOwnPage(ownOrigins: ReadonlySet<string>): (request: FastifyRequest) => boolean {
  return ({ headers: { origin, host, 'sec-fetch-site': site } }) => {
    if (site !== undefined && site !== 'same-origin') return false
    if (origin === undefined) return site === 'same-origin'
    // The server may be reached under further names than PUBLIC_URL.
    return ownOrigins.has(origin) || URL.parse(origin)?.host === host
  }
}

/** Reports to a page that its embed is refused, and why; it contains only what the page's owner entered. */
function tellsEveryPage({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.operation?.embed?.tellsEveryPage === true
}

function openMethods({ url }: FastifyRequest): string[] {
  const path = url.split('?', 1)[0] ?? ''
  return openPaths.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)
}
