import type { EmbedAct } from '../../../contract/embed/embed.ts'
import type { EmbedCaller } from '../../domain/auth/embed.ts'
import { createEmbedSessionStore } from '../../store/embeds/embed-session.ts'
import { createEmbedUsage } from '../../store/embeds/embed-usage.ts'
import { createEmbedStore } from '../../store/embeds/embed.ts'
import type { Parts } from '../core/parts.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** Embeds, their sessions and their activity. */
export function embedStores({ database }: Parts) {
  const embedUsage = createEmbedUsage(database)
  return {
    embeds: createEmbedStore(database),
    embedSessions: createEmbedSessionStore(database),
    embedUsage,
    noteEmbedAct: (scope: Scope, { grant }: EmbedCaller, act: EmbedAct) => embedUsage.note(scope, grant, act),
  }
}
