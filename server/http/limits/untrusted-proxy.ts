import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** Warning in the log, written once. */
export const untrustedProxySentence =
  'X-Forwarded-For arrives and TRUSTED_PROXIES is empty: all visitors behind a proxy share its address and its limits, so 50 failed sign-ins slow all of them down. Set TRUSTED_PROXIES to the proxy’s address if it is yours.'

/** Warns once when an untrusted proxy seems to be in front; `onSeen` keeps that for `npm run doctor`. */
export function watchForUntrustedProxy(
  app: FastifyInstance,
  { log, isKnown, onSeen }: { log: FastifyBaseLogger; isKnown: boolean; onSeen: () => void },
): void {
  let isWarned = isKnown
  if (isKnown) log.warn(untrustedProxySentence)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      log.warn(untrustedProxySentence)
      onSeen()
    }
    done()
  })
}
