import { createHash } from 'node:crypto'
import { AppError } from '../../../contract/core/errors.ts'
import { embedCodeLifeSeconds, embedSessionLifeSeconds } from '../../../contract/embed/embed.limits.ts'
import type { EmbedScope } from '../../../contract/embed/embed-scopes.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { MemberCaller } from '../../domain/auth/caller.ts'
import type { EmbedRow } from '../../domain/auth/embed.ts'
import { hashToken, isToken } from '../../domain/auth/token.ts'
import {
  grantedScopes,
  requireOpen,
  requireScopePermissions,
  type OpenedSession,
  type OpenEmbedSession,
} from './open-embed-session.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { EmbedStore } from '../../store/embeds/embed.ts'
import type { EmbedSessionStore } from '../../store/embeds/embed-session.ts'
import type { MailboxStore } from '../../store/mailboxes/mailbox.ts'

interface Ports {
  embeds: Pick<EmbedStore, 'find' | 'findPublic'>
  embedSessions: Pick<EmbedSessionStore, 'addCode' | 'useCode'>
  mailboxes: Pick<MailboxStore, 'findMailboxes'>
  openSession: OpenEmbedSession
  newCode: () => string
  now: () => Date
}

/** A page and the scopes that it requests. */
export interface ConsentInput {
  embedId: string
  origin: string
  scopes: readonly EmbedScope[] | undefined
}

/** What a member is asked to consent to. */
export interface Consent {
  embed: EmbedRow
  scopes: readonly EmbedScope[]
  mailboxes: readonly string[]
  lifeSeconds: number
}

/** Sign-in through the popup: public data of the embed, the consent of a member, and the exchange of its code. */
export function createEmbedConsent(ports: Ports) {
  const read = async (scope: Scope, caller: MemberCaller, { embedId, origin, scopes }: ConsentInput) => {
    const embed = isToken('embed', embedId) ? await ports.embeds.find(scope, embedId) : null
    if (embed === null) {
      throw new AppError('embed_not_found', {
        detail: 'Your workspace has no such embed. Sign in as a member of the workspace that it belongs to.',
      })
    }
    requireOpen(embed, origin)
    if (!embed.popupSignIn) throw new AppError('embed_popup_off')
    const granted = grantedScopes(embed, { openedBy: 'consent' }, scopes)
    requireScopePermissions(caller, granted)
    return { embed, scopes: granted }
  }

  return {
    /** Throws `embed_not_found`, `embed_origin_refused` (for a request of no page too), `embed_paused`. */
    async getEmbedFacts(embedId: string, origin: string | null): Promise<EmbedRow> {
      const embed = isToken('embed', embedId) ? await ports.embeds.findPublic(embedId) : null
      if (embed === null) throw new AppError('embed_not_found')
      requireOpen(embed, origin)
      return embed
    },

    /** Throws `embed_not_found`, `embed_origin_refused`, `embed_scope_refused`, `embed_paused`, `embed_popup_off`, `permission_missing`. */
    async getEmbedConsent(scope: Scope, caller: MemberCaller, input: ConsentInput): Promise<Consent> {
      const { embed, scopes } = await read(scope, caller, input)
      const isMail = scopes.some((scope) => scope === 'mail:send' || scope.startsWith('configs:'))
      const mailboxes = isMail ? await ports.mailboxes.findMailboxes(scope, embed.mailboxIds) : []
      return {
        embed,
        scopes,
        mailboxes: mailboxes.map(({ address }) => address),
        lifeSeconds: embedSessionLifeSeconds.default,
      }
    },

    /** Returns the code. Throws the same. */
    async giveEmbedConsent(
      scope: Scope,
      caller: MemberCaller,
      input: ConsentInput & { challenge: string },
    ): Promise<string> {
      const { embed, scopes } = await read(scope, caller, input)
      const code = ports.newCode()
      await ports.embedSessions.addCode(scope, {
        codeHash: hashToken(code),
        embedId: embed.id,
        userId: caller.userId,
        origin: input.origin,
        scopes,
        challenge: input.challenge,
        expiresAt: new Date(ports.now().getTime() + embedCodeLifeSeconds * 1000),
      })
      return code
    },

    /** Consumes a code, also a wrong one, and opens its session. Throws `embed_code_invalid`. */
    async exchangeEmbedCode(
      given: { embedId: string; code: string; verifier: string },
      origin: string | null,
    ): Promise<OpenedSession> {
      const code = isToken('embed_code', given.code) ? await ports.embedSessions.useCode(hashToken(given.code)) : null
      const embed = code && (await ports.embeds.findPublic(code.embedId))
      const challenge = createHash('sha256').update(given.verifier).digest('base64url')
      const fits = code?.embedId === given.embedId && code.origin === origin && code.challenge === challenge
      if (!fits || !embed) throw new AppError('embed_code_invalid')
      try {
        const scope = authorize({ kind: 'system', task: 'embed-code' }, 'embeds:write', embed.workspaceId)
        return await ports.openSession(scope, {
          embedId: embed.id,
          opener: { openedBy: 'consent', userId: code.userId },
          member: null,
          origin: code.origin,
          isPreview: false,
          scopes: code.scopes,
          lifeSeconds: undefined,
          userRef: null,
          limits: {},
        })
      } catch (cause) {
        // The embed has changed since the consent.
        throw cause instanceof AppError ? new AppError('embed_code_invalid', { cause }) : cause
      }
    },
  }
}
