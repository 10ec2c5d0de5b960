import type { FastifyInstance } from 'fastify'
import { formatToken } from '../domain/auth/token.ts'
import { addHostedRelayRoutes } from '../http/hosted/hosted-relay.ts'
import { addHostedUserRoutes } from '../http/hosted/hosted-user.ts'
import { addDocumentRoutes } from '../http/hosted/hosted.ts'
import { createRelayedSource } from '../http/hosted/realtime-relay.ts'
import { createOwnSource } from '../http/hosted/realtime-source.ts'
import { addRealtime } from '../http/hosted/realtime.ts'

import { createHostedChangeStore } from '../store/hosted/hosted-change.ts'
import { createHostedDocumentStore } from '../store/hosted/hosted-document.ts'
import { createHostedKeyStore } from '../store/hosted/hosted-key.ts'
import { startNotificationListener } from '../store/core/notification-listener.ts'
import { hostedChannel, readSignal, type HostedSignal } from '../store/hosted/hosted-channel.ts'
import { createHostedSeedStore } from '../store/hosted/hosted-seed.ts'
import { createHostedUserStore } from '../store/hosted/hosted-user.ts'
import { readLibraryFile } from '../store/hosted/library-file.ts'
import { createAuthenticateHosted } from '../usecases/auth/authenticate-hosted.ts'
import { createCreateDocument } from '../usecases/hosted/create-document.ts'
import { createDeleteDocument } from '../usecases/hosted/delete-document.ts'
import { createGetDocument } from '../usecases/hosted/get-document.ts'
import { createListDocuments } from '../usecases/hosted/list-documents.ts'
import { createSeedLibrary } from '../usecases/hosted/seed-library.ts'
import { createSignInHosted } from '../usecases/hosted/sign-in-hosted.ts'
import { createSignUpHosted } from '../usecases/hosted/sign-up-hosted.ts'
import { createUpdateDocument } from '../usecases/hosted/update-document.ts'
import { createUpdateHostedUser } from '../usecases/hosted/update-hosted-user.ts'
import { createCollectionFeed } from '../usecases/hosted/watch-collection.ts'
import { attemptStores } from './limits.ts'
import { ownOrigins } from './core/own-pages.ts'
import { minuteMs, tokenOf, type Noun, type Parts, type ServerParts } from './core/parts.ts'
import { accountStores } from './stores/accounts.ts'

const pruneEveryMs = 10 * minuteMs

function hostedStores({ database }: Parts) {
  return {
    documents: createHostedDocumentStore(database.pool),
    changes: createHostedChangeStore(database.pool),
    keys: createHostedKeyStore(database),
    users: createHostedUserStore(database),
    seeds: createHostedSeedStore(database.pool),
  }
}

/** The API key in our own pages. */
export const hostedPageKey = ({ vault }: Parts) => formatToken('hosted_read', vault.hostedPageKey.export())

/** Resolves the API key and the hosted user of a request. A deployment to which calls are forwarded identifies its users itself. */
export function authenticateHosted({ settings, resolve }: Parts) {
  const { keys, users } = resolve(hostedStores)
  return createAuthenticateHosted({
    keys,
    users: settings.hosted === null ? users : null,
    pageKey: resolve(hostedPageKey),
  })
}

function useCases(parts: ServerParts) {
  const { newId, noteSecurityEvent, now, resolve } = parts
  const { documents, users } = resolve(hostedStores)
  const { passwords } = resolve(accountStores)
  const { attempts } = resolve(attemptStores)
  const newToken = tokenOf(parts, 'hosted_user')
  return {
    getDocument: createGetDocument({ documents }),
    listDocuments: createListDocuments({ documents }),
    createDocument: createCreateDocument({ documents, newId }),
    updateDocument: createUpdateDocument({ documents }),
    deleteDocument: createDeleteDocument({ documents }),
    signInHosted: createSignInHosted({ users, passwords, attempts, newToken, now, noteSecurityEvent }),
    signUpHosted: createSignUpHosted({ users, passwords, attempts, newId, newToken, now }),
    updateHostedUser: createUpdateHostedUser({ users, passwords, attempts, noteSecurityEvent }),
  }
}

export const hosted: Noun = {
  async addRoutes(add, parts, app) {
    const { libraryFile, log, settings, resolve } = parts
    if (settings.hosted === null) {
      const { seeds } = resolve(hostedStores)
      await createSeedLibrary({ readLibrary: () => readLibraryFile(libraryFile), seeds, log })()
      const given = useCases(parts)
      addDocumentRoutes(add, given)
      addHostedUserRoutes(add, given)
    } else addHostedRelayRoutes(add, settings.hosted)
    await addWebsockets(app, parts)
  },
}

/** Websockets of this server's own documents, or forwarded to another deployment. */
async function addWebsockets(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { clientLimits, direct, log, settings, onStop, resolve } = parts
  const { changes, keys } = resolve(hostedStores)
  const feed = createCollectionFeed({ changes, log })
  const realtime = await addRealtime(app, {
    authenticateKey: resolve(authenticateHosted).key,
    source: settings.hosted === null ? createOwnSource(feed) : createRelayedSource(settings.hosted, log),
    origins: resolve(ownOrigins),
    unauthenticatedMaxCount: clientLimits.unauthenticatedSocketsMaxCount,
    log,
  })
  onStop(() => realtime.stop())

  const endRevoked = async () => {
    const ids = realtime.keyIds()
    if (ids.length > 0) realtime.endKeys(await keys.listRevoked(ids))
  }
  const onSignal = (signal: HostedSignal | null) => {
    if (signal === null) {
      feed.wake(null)
      // A websocket whose key was revoked meanwhile stays open until the next signal.
      endRevoked().catch((error: unknown) => log.warn({ err: error }, 'Revoked keys could not be looked for'))
    } else if ('collection' in signal) feed.wake(signal.collection)
    else realtime.endKeys([signal.revokedKeyId])
  }
  let stopListening: (() => Promise<void>) | null = null
  app.addHook('onReady', (done) => {
    const unlisten = startNotificationListener({
      connection: direct,
      log,
      channel: hostedChannel,
      onPayload: (payload) => onSignal(payload === null ? null : readSignal(payload)),
    })
    const pruning = setInterval(() => {
      changes.prune().catch((error: unknown) => log.warn({ err: error }, 'Old changes could not be dropped'))
    }, pruneEveryMs).unref()
    stopListening = () => {
      clearInterval(pruning)
      return unlisten()
    }
    done()
  })
  app.addHook('onClose', async () => stopListening?.())
}
