import { createIsTrustedProxy } from '../domain/limits/client-limits.ts'
import { limitProxiedRequests } from '../http/limits/client-connections.ts'
import { cutSlowBodies } from '../http/limits/slow-bodies.ts'
import { watchForUntrustedProxy } from '../http/limits/untrusted-proxy.ts'
import { createForwardedMark } from '../store/core/forwarded-mark.ts'
import { createAttemptStore } from '../store/limits/attempt.ts'
import type { Noun, Parts, ServerParts } from './core/parts.ts'

/** Limits for attempts, such as sign-ins. */
export function attemptStores({ database, vault }: Parts) {
  return { attempts: createAttemptStore(database, vault) }
}

export const limits: Noun = {
  async addHooks(app, parts) {
    const { clientLimits, settings, log } = parts
    const { trustedProxies } = settings
    const untrustedProxy = await readUntrustedProxy(parts)
    if (trustedProxies.length === 0) watchForUntrustedProxy(app, { log, ...untrustedProxy })
    else {
      const isTrustedProxy = createIsTrustedProxy(trustedProxies)
      limitProxiedRequests(app, { maxCount: clientLimits.connectionsMaxCount, isTrustedProxy })
    }
    cutSlowBodies(app, clientLimits)
  },
}

/** Whether an earlier run saw a proxy that is not in TRUSTED_PROXIES; reset once one is trusted. */
async function readUntrustedProxy({ settings, dataDir, log }: ServerParts) {
  const mark = createForwardedMark(dataDir)
  const fail = (error: unknown) =>
    log.warn({ err: error }, 'The proxies that npm run doctor reports could not be saved')
  if (settings.trustedProxies.length > 0) await mark.clear().catch(fail)
  const isKnown = (await mark.read()) !== null
  return { isKnown, onSeen: () => void mark.write().catch(fail) }
}
