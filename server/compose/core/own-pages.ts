import { createIsOwnPage } from '../../http/embeds/embed-cors.ts'
import { isLoopbackHost } from '../../settings.ts'
import type { ServerParts } from './parts.ts'

/** Origins of our own pages; a loopback address has several names. */
export function ownOrigins({ publicUrl }: ServerParts): ReadonlySet<string> {
  const url = new URL(publicUrl)
  if (!isLoopbackHost(url.hostname)) return new Set([url.origin])
  const names = [url.hostname, 'localhost', '127.0.0.1', '[::1]']
  return new Set(names.map((name) => Object.assign(new URL(publicUrl), { hostname: name }).origin))
}

/** Whether a request comes from one of our own pages. */
export const isOwnPage = ({ resolve }: ServerParts) => createIsOwnPage(resolve(ownOrigins))
