import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { listDefaultCount } from '../../../contract/core/limits.ts'
import { AppError } from '../../../contract/core/errors.ts'
import * as contract from '../../../contract/mail/sandbox.ts'
import type { AddRoute } from '../core/route.ts'

/** Where the received mails are kept. */
export interface SandboxInbox {
  list: (where: { to: string | null; limit: number }) => Promise<contract.SandboxMessage[]>
  find: (id: string) => Promise<contract.SandboxMessage | null>
}

/** `/sandbox/messages` (architecture, The sandbox): added only where the sandbox is on. */
export function addSandboxRoutes(add: AddRoute, inbox: SandboxInbox): void {
  add(contract.listSandboxMessages, ({ query }) =>
    inbox.list({ to: query.to ?? null, limit: query.limit ?? listDefaultCount }),
  )

  add(contract.getSandboxMessage, async ({ params }) => {
    const message = await inbox.find(params.id)
    if (message === null) throw new AppError('not_found')
    return message
  })
}

const forwardedHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether a request was made on this machine, for this machine: a proxy in front, or a rebound name, makes it a stranger's. */
export function isLoopbackRequest(request: FastifyRequest): boolean {
  if (forwardedHeaders.some((name) => request.headers[name] !== undefined)) return false
  const name = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname.replace(/^\[|\]$/g, '') ?? ''
  return isLoopbackAddress(request.socket.remoteAddress ?? '') && (name === 'localhost' || isLoopbackAddress(name))
}

function isLoopbackAddress(text: string): boolean {
  const address = text.replace(/^::ffff:/, '')
  return isIP(address) !== 0 && (address === '::1' || address.startsWith('127.'))
}
