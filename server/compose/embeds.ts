import { addEmbedCors } from '../http/embeds/embed-cors.ts'
import { addEmbedFiles } from '../http/embeds/embed-files.ts'
import { addEmbedSessionRoutes } from '../http/embeds/embed-session.ts'
import { addEmbedRoutes } from '../http/embeds/embed.ts'
import { publishEmbed } from '../store/embeds/embed-files.ts'
import { createEmbedConsent } from '../usecases/embeds/embed-consent.ts'
import { createEmbedService } from '../usecases/embeds/embed-service.ts'
import { createOpenEmbedSession } from '../usecases/embeds/open-embed-session.ts'
import { authenticateEmbed } from './auth.ts'
import { isOwnPage } from './core/own-pages.ts'
import { hourMs, tokenOf, type Noun, type ServerParts } from './core/parts.ts'
import { embedStores } from './stores/embeds.ts'
import { mailboxStores } from './stores/mailboxes.ts'

function useCases(parts: ServerParts) {
  const { newId, noteSecurityEvent, now, resolve } = parts
  const { mailboxes } = resolve(mailboxStores)
  const { embeds, embedSessions, embedUsage } = resolve(embedStores)
  const newToken = tokenOf(parts, 'embed_session')
  const openSession = createOpenEmbedSession({ embeds, embedSessions, newId, newToken, now })
  const newEmbedId = tokenOf(parts, 'embed')
  const newCode = tokenOf(parts, 'embed_code')
  return {
    ...createEmbedService({ embeds, embedSessions, embedUsage, mailboxes, newEmbedId, noteSecurityEvent }),
    openEmbedSession: openSession,
    ...createEmbedConsent({ embeds, embedSessions, mailboxes, openSession, newCode, now }),
  }
}

export const embeds: Noun = {
  async addRoutes(add, parts, app) {
    const { builtEmbedFolder, dataDir, newId, resolve } = parts
    addEmbedCors(app, resolve(authenticateEmbed))
    const given = useCases(parts)
    addEmbedRoutes(add, given)
    addEmbedSessionRoutes(add, given, resolve(isOwnPage))
    const { folder } = await publishEmbed(builtEmbedFolder, dataDir, newId)
    await addEmbedFiles(app, folder)
  },
  maintenance({ clock, resolve }, system) {
    const { embedSessions } = resolve(embedStores)
    return [
      { intervalMs: hourMs, run: async () => ((await clock.correct()) ? embedSessions.prune(system) : undefined) },
    ]
  },
}
