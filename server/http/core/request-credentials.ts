import type { FastifyRequest } from 'fastify'

/** The `Origin` header; null for requests that no page of another origin sent. */
export function originOf({ headers }: FastifyRequest): string | null {
  return headers.origin ?? null
}

/** The bearer token of a request, or null. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** The API key of the hosted data backend that a request carries, or null. */
export function apiKeyOf({ headers }: FastifyRequest): string | null {
  const header = headers['x-api-key']
  return typeof header === 'string' ? header : null
}
