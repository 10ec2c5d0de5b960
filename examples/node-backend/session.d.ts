import type { IncomingMessage, ServerResponse } from 'node:http'

/** The API, the embed and the origin of the page. */
export interface Site {
  api: string
  embed: string
  secretKey: string
  origin: string
}

export function mintSession(site: Site & { userRef: string }): Promise<{ status: number; body: string }>
export function answerSession(request: IncomingMessage, response: ServerResponse, site: Site): Promise<void>
