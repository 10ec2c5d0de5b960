import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { createCallRate } from '../server/domain/limits/call-rate.ts'
import { createNewId } from '../server/domain/core/id.ts'
import { parseJsonBody } from '../server/http/core/json-body.ts'
import { addMessageRoutes, type MessageUseCases } from '../server/http/messages/message.ts'
import { createAddRoute, type RouteParts } from '../server/http/core/route.ts'
import { addSecurityHeaders } from '../server/http/core/security-headers.ts'
import { createValidatorCompiler } from '../server/http/shapes/validation.ts'
import { createAuthenticate } from '../server/usecases/auth/authenticate.ts'
import { createSendMail } from '../server/usecases/messages/send-mail.ts'

// `node bench/accept-baseline.ts [bare]`: the server's public send call on in-memory stores, so that the difference to the
// server is the cost of the database; or a bare route. Prints its port on the first line; runs until it is killed.

/** The ports of a send call, without effects. */
function addNothing(app: FastifyInstance): void {
  app.post('/api/send-mail/:key', () => ({ message: 'Email sent successfully to 1 recipient', accepted: 1 }))
}

/** The route with its access, its shapes and its use-case. */
function addWithoutDatabase(app: FastifyInstance): void {
  const mailbox = {
    mailboxId: randomUUID(),
    workspaceId: randomUUID(),
    address: 'ann@example.com',
    pause: null,
    version: '1',
  }
  const sendMail = createSendMail({
    messages: {
      accept: () => Promise.resolve({ suppressedCount: 0, undoUntil: null }),
      findAccepted: () => Promise.resolve(null),
    },
    backlog: { count: () => Promise.resolve(0), add: () => undefined },
    templates: { findByKey: () => Promise.resolve(null) },
    attachments: {
      readAttachments: () => Promise.resolve([]),
      listAttachments: () => Promise.resolve([]),
      attach: () => Promise.resolve(),
    },
    workspaces: { find: () => Promise.resolve(null) },
    firstResults: { waitForFirstResult: () => Promise.resolve({ failure: null }) },
    estimator: { singleSend: () => Promise.resolve(new Date()) },
    newId: createNewId(),
    publicUrl: 'http://localhost',
    wakeSender: () => undefined,
    now: () => new Date(),
    ensureMonth: () => Promise.resolve(),
  })
  app.setValidatorCompiler(createValidatorCompiler())
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, parseJsonBody(body as Buffer)),
  )
  app.decorateRequest('caller', null)
  app.decorateRequest('scope', null)
  addSecurityHeaders(app, { isSecure: false })
  const authenticate = createAuthenticate({
    sessions: { findCaller: () => Promise.resolve(null) },
    mailboxes: { findByKey: () => Promise.resolve(mailbox) },
  })
  const parts: Partial<RouteParts> = { authenticate, callRate: createCallRate(null, () => performance.now()) }
  const useCases: Partial<MessageUseCases> = { sendMail }
  addMessageRoutes(createAddRoute(app, parts as RouteParts), useCases as MessageUseCases)
}

const app = Fastify()
if (process.argv[2] === 'bare') addNothing(app)
else addWithoutDatabase(app)
const address = new URL(await app.listen({ port: 0 }))
process.stdout.write(`${address.port}\n`)
