import type { createEmbedConsent } from '../../usecases/embeds/embed-consent.ts'
import type { OpenEmbedSession } from '../../usecases/embeds/open-embed-session.ts'
import type { FastifyRequest } from 'fastify'
import { embedScopes, type EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import * as contract from '../../../contract/embed/embed-session.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { OpenedSession } from '../../usecases/embeds/open-embed-session.ts'
import { originOf } from '../core/request-credentials.ts'
import type { AddRoute } from '../core/route.ts'

/** The use cases of embed sessions. */
export interface EmbedSessionUseCases extends ReturnType<typeof createEmbedConsent> {
  openEmbedSession: OpenEmbedSession
}

/** `/embed/*`: opens embed sessions (embed.md, Who may do what). Answers contain tokens and must not be cached. */
export function addEmbedSessionRoutes(
  add: AddRoute,
  useCases: EmbedSessionUseCases,
  isOwnPage: (request: FastifyRequest) => boolean,
): void {
  add(contract.openEmbedSession, async ({ body, caller, scope, request }) => {
    const isKey = caller.kind === 'secret_key'
    const opened = await useCases.openEmbedSession(scope, {
      embedId: body.embed_id,
      opener: isKey
        ? { openedBy: 'key', mailboxId: caller.mailbox.mailboxId }
        : { openedBy: 'token', userId: caller.userId },
      member: isKey ? null : caller,
      origin: body.origin,
      isPreview: isOwnPage(request) && originOf(request) === body.origin,
      scopes: body.scopes,
      lifeSeconds: body.expires_in,
      userRef: body.user_ref ?? null,
      limits: body.limits ?? {},
    })
    return toOpened(opened)
  })

  add(contract.getEmbedConfig, async ({ query, request }) => {
    const origin = originOf(request)
    if (origin === null) throw new AppError('embed_origin_refused')
    const { id, widgets, popupSignIn } = await useCases.getEmbedFacts(query.embed, origin)
    return { id, widgets: [...widgets], popup_sign_in: popupSignIn }
  })

  add(contract.getEmbedConsent, async ({ query, caller, scope }) => {
    const scopes = readScopes(query.scopes)
    const consent = await useCases.getEmbedConsent(scope, caller, {
      embedId: query.embed,
      origin: query.origin,
      scopes,
    })
    const { embed, mailboxes, lifeSeconds } = consent
    return {
      embed: { id: embed.id, name: embed.name },
      origin: query.origin,
      workspace: caller.workspace.name,
      scopes: [...consent.scopes],
      mailboxes: [...mailboxes],
      limits: { messages: embed.limits.messagesPerSession, recipients: embed.limits.recipientsPerSession },
      minutes: lifeSeconds / 60,
    }
  })

  add(contract.giveEmbedConsent, async ({ body, caller, scope }) => {
    const { embed: embedId, origin, scopes, code_challenge: challenge } = body
    return { code: await useCases.giveEmbedConsent(scope, caller, { embedId, origin, scopes, challenge }) }
  })

  add(contract.exchangeEmbedCode, async ({ body, request }) => {
    const given = { embedId: body.embed_id, code: body.code, verifier: body.code_verifier }
    return toOpened(await useCases.exchangeEmbedCode(given, originOf(request)))
  })
}

function toOpened({ token, expiresAt, scopes }: OpenedSession): contract.OpenedEmbedSession {
  return { session_token: token, expires_at: expiresAt.toISOString(), scopes: [...scopes] }
}

/** Scopes as an address carries them. Throws `validation`. */
function readScopes(text: string | undefined): EmbedScope[] | undefined {
  const names = text?.split(/[\s,]+/).filter((name) => name !== '') ?? []
  if (names.length === 0) return undefined
  const unknown = names.find((name) => !(embedScopes as readonly string[]).includes(name))
  if (unknown === undefined) return [...new Set(names as EmbedScope[])]
  const msg = `scopes names “${unknown.slice(0, 50)}”, which does not exist; choose from ${embedScopes.join(', ')}`
  throw new AppError('validation', { items: [{ loc: ['query', 'scopes'], msg, type: 'enum' }] })
}
