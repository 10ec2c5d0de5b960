import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errors } from '../../../contract/core/errors.ts'
import { databaseRetryMs, isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import { readChoices } from '../../domain/preferences/preferences.ts'
import { testToken } from '../../domain/suppressions/unsubscribe-link.ts'
import { preferencesPath } from '../../domain/tracking/mail-link.ts'
import type { PersonPreferences, PreferenceService } from '../../usecases/preferences/preference-service.ts'
import { announcesPrefetch } from '../core/announces-prefetch.ts'
import { maskedAddress } from '../core/masked-address.ts'
import { preferencesPage, preferencesPolicy } from './preferences-page.ts'

const formMaxBytes = 64 * 1024

/** The page of a mail's preference link. GET changes nothing; POST does, except from a client that loads pages in advance. */
export async function addPreferencePages(
  app: FastifyInstance,
  service: PreferenceService,
  now: () => Date,
): Promise<void> {
  await app.register((pages, _options, done) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'string', bodyLimit: formMaxBytes }, (_request, body, read) =>
      read(null, new URLSearchParams(String(body))),
    )
    pages.get<{ Params: { token: string } }>(`${preferencesPath}:token`, ({ params }, reply) =>
      show(reply, 'asked', params.token, (of) => service.find(of), now),
    )
    pages.post<{ Params: { token: string } }>(`${preferencesPath}:token`, (request, reply) => {
      const { token } = request.params
      if (announcesPrefetch(request.raw)) return show(reply, 'asked', token, (of) => service.find(of), now)
      const choices = readChoices(formOf(request))
      return show(reply, 'saved', token, (of) => service.save(of, choices), now)
    })
    done()
  })
}

const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : new URLSearchParams())

async function show(
  reply: FastifyReply,
  state: 'asked' | 'saved',
  token: string,
  read: (token: string) => Promise<PersonPreferences>,
  now: () => Date,
) {
  void reply.type('text/html; charset=utf-8').headers({
    'content-security-policy': preferencesPolicy,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
  if (token === testToken) return reply.send(preferencesPage({ state: 'test' }))
  try {
    const { preferences, mailed } = await read(token)
    const email = maskedAddress(mailed.email)
    return await reply.send(preferencesPage({ state, preferences, email, from: mailed.fromAddress, now: now() }))
  } catch (error) {
    if (isDatabaseUnavailable(error)) {
      void reply.status(errors.database_away.status).header('retry-after', databaseRetryMs / 1000)
      return reply.send(preferencesPage({ state: 'away' }))
    }
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    return reply.status(404).send(preferencesPage({ state: 'unknown' }))
  }
}
