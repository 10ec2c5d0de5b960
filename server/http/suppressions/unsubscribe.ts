import type { createUnsubscribe } from '../../usecases/suppressions/unsubscribe.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError, errors } from '../../../contract/core/errors.ts'
import { databaseRetryMs, isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import type { MailedRecipient } from '../../domain/suppressions/suppression.ts'
import { testToken, unsubscribePath } from '../../domain/suppressions/unsubscribe-link.ts'
import { maskedAddress } from '../core/masked-address.ts'
import { unsubscribePage, unsubscribePolicy } from './unsubscribe-page.ts'

/** The use cases of the unsubscribe page. */
export type UnsubscribeUseCases = ReturnType<typeof createUnsubscribe>

/** Largest body that is read and ignored. */
const ignoredMaxBytes = 64 * 1024

/**
 * The page of a mail's unsubscribe link. GET changes nothing, because scanners open every link. POST unsubscribes with any
 * body: from the button, or from a mail program (RFC 8058 §3.2), without cookies and without a redirect.
 */
export async function addUnsubscribePages(app: FastifyInstance, useCases: UnsubscribeUseCases): Promise<void> {
  await app.register((pages, _options, done) => {
    pages.removeAllContentTypeParsers()
    const ignore = (_request: unknown, _body: unknown, read: (error: null) => void) => read(null)
    pages.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: ignoredMaxBytes }, ignore)

    pages.get<{ Params: { token: string } }>(`${unsubscribePath}:token`, async ({ params }, reply) =>
      show(reply, 'asked', params.token, useCases.findMailed),
    )
    pages.post<{ Params: { token: string } }>(`${unsubscribePath}:token`, async ({ params }, reply) =>
      show(reply, 'done', params.token, (token) => useCases.unsubscribe(token)),
    )
    done()
  })
}

async function show(
  reply: FastifyReply,
  state: 'asked' | 'done',
  token: string,
  find: (token: string) => Promise<MailedRecipient>,
) {
  void reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': unsubscribePolicy,
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
  })
  if (token === testToken) return reply.send(unsubscribePage({ state: 'test' }))
  try {
    const { email, fromAddress } = await find(token)
    return await reply.send(unsubscribePage({ state, email: maskedAddress(email), from: fromAddress, token }))
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      void reply.status(errors.database_away.status).header('retry-after', databaseRetryMs / 1000)
      return reply.send(unsubscribePage({ state: 'away' }))
    }
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    return reply.status(404).send(unsubscribePage({ state: 'unknown' }))
  }
}
