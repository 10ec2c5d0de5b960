import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'
import { dashboardPolicy } from '../pages/pages.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Left out of a route's answers, which bring their own. */
    ownPolicy?: true
  }
}

/** Unused browser features, denied to injected code too (W3C Permissions Policy §5). */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
const permissionsPolicy: [name: string, value: string] = [
  'permissions-policy',
  unusedFeatures.map((feature) => `${feature}=()`).join(', '),
]

/** Sets the security headers of every answer (security.md, Pages). */
export function addSecurityHeaders(app: FastifyInstance, { isSecure }: { isSecure: boolean }): void {
  const options = {
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    strictTransportSecurity: isSecure,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  } as const
  const contentSecurityPolicy = { useDefaults: false, directives: dashboardPolicy }
  const all = [...headersOf({ ...options, contentSecurityPolicy }), permissionsPolicy]
  const withoutPolicy = [
    ...headersOf({ ...options, contentSecurityPolicy: false, frameguard: false }),
    permissionsPolicy,
  ]
  app.addHook('onRequest', (request, reply, done) => {
    const headers = request.routeOptions.config.ownPolicy ? withoutPolicy : all
    for (const [name, value] of headers) reply.raw.setHeader(name, value)
    done()
  })
}

/** Takes from an answer what only a page needs: a script of ours in a page of others is bound by that page's headers. */
export function removePageHeaders({ raw }: FastifyReply): void {
  for (const name of raw.getHeaderNames()) if (name !== 'x-content-type-options') raw.removeHeader(name)
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
