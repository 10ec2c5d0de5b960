import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { dashboardPolicy } from './pages.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Left out of a route's answers, which bring their own. */
    ownPolicy?: true
  }
}

/** Gives every answer the headers that browsers protect people by (security.md, Pages). */
export function addSecurityHeaders(app: FastifyInstance, { isSecure }: { isSecure: boolean }): void {
  const options = {
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: isSecure,
    referrerPolicy: { policy: 'no-referrer' },
  } as const
  const contentSecurityPolicy = { useDefaults: false, directives: dashboardPolicy }
  const all = headersOf({ ...options, contentSecurityPolicy })
  const withoutPolicy = headersOf({ ...options, contentSecurityPolicy: false, frameguard: false })
  app.addHook('onRequest', (request, reply, done) => {
    const headers = request.routeOptions.config.ownPolicy ? withoutPolicy : all
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    done()
  })
}

/** What helmet sets, which is the same each time: to work it out takes longer than all else that surrounds a call. */
function headersOf(options: HelmetOptions): [name: string, value: string][] {
  const headers: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  }
  helmet(options)({} as never, response as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error as Error
  })
  return headers
}
