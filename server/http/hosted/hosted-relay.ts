import { createHash } from 'node:crypto'
import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { AppError } from '../../../contract/core/errors.ts'
import * as contract from '../../../contract/hosted/hosted.ts'
import type { Operation } from '../../../contract/core/operation.ts'
import { nextCursorHeader, totalCountHeader } from '../../../contract/core/paging.ts'
import { isOwnCollection, mayRead, mayWrite } from '../../domain/hosted/hosted-access.ts'
import { isCollectionName, isDocumentId, type HostedCaller } from '../../domain/auth/hosted.ts'
import { isToken } from '../../domain/auth/token.ts'
import { repeatableCall } from '../core/idempotency.ts'
import { bearerOf } from '../core/request-credentials.ts'
import type { AddRoute, Call } from '../core/route.ts'

/** Another deployment of the same kind, and the `read` key that it gave us. */
export interface HostedUpstream {
  url: URL
  apiKey: string
}

/** Marks what was passed on once, so that two deployments that name each other do not pass it on for ever. */
export const passedOnHeader = 'x-sendwright-passed-on'

const answerTimeoutMs = 15_000
/** Response headers that are forwarded. */
const answerHeaders = [
  'content-type',
  'content-length',
  'cache-control',
  'retry-after',
  'idempotency-replayed',
  totalCountHeader,
  nextCursorHeader,
  contract.totalCountRelationHeader,
]

const documentCalls = [
  contract.getDocument,
  contract.createDocument,
  contract.updateDocument,
  contract.deleteDocument,
  contract.listDocuments,
] as const
const userCalls = [
  contract.signInHosted,
  contract.signUpHosted,
  contract.getHostedUser,
  contract.updateHostedUser,
] as const

/**
 * Hosted calls that another deployment answers: each is checked here, sent there with our key, and its answer is streamed
 * back. Only a hosted user's token is forwarded: no cookie, no product account's token.
 */
export function addHostedRelayRoutes(add: AddRoute, upstream: HostedUpstream): void {
  for (const operation of [...documentCalls, ...userCalls] as readonly Operation[]) {
    // The other deployment authenticates the token and stores repeatable answers.
    const open = { ...operation, access: 'hosted', isRepeatable: false } as const
    add(open, async (call) => {
      checkAccess(operation, call)
      return (await passOn(operation, call, upstream)) as never
    })
  }
}

type HostedCall = Pick<Call<Operation>, 'request' | 'reply'> & {
  params: Record<string, string> | undefined
  query: Record<string, unknown> | undefined
  body: unknown
  caller: HostedCaller
}

/** A caller gets no more access through our key than through its own. */
function checkAccess(operation: Operation, { params, query, caller }: HostedCall): void {
  const collection = params?.['collection'] ?? query?.['collection']
  const id = params?.['id']
  // What is no name would lead elsewhere in the other deployment's addresses: “..” does.
  const isName = (typeof collection !== 'string' || isCollectionName(collection)) && (!id || isDocumentId(id))
  if (!isName) throw new AppError('document_not_found')
  // The other deployment checks the owner of a user's collection.
  if (typeof collection !== 'string' || isOwnCollection(collection)) return
  const isAllowed = operation.method === 'GET' ? mayRead(caller, collection) : mayWrite(caller, collection)
  if (!isAllowed) throw new AppError('collection_forbidden')
}

async function passOn(operation: Operation, call: HostedCall, upstream: HostedUpstream): Promise<IncomingMessage> {
  const { request, reply, body, caller } = call
  const once = repeatableCall(operation, request)
  if (request.headers[passedOnHeader] !== undefined) throw new AppError('hosted_unreachable')
  const token = bearerOf(request)
  const userToken = token !== null && isToken('hosted_user', token) ? token : null
  if (operation.access === 'hosted-user' && userToken === null) throw new AppError('not_signed_in')
  const text = body === undefined ? null : JSON.stringify(body)
  const answer = await ask(addressOf(operation, call, upstream.url), text, {
    method: operation.method,
    headers: {
      'x-api-key': upstream.apiKey,
      [passedOnHeader]: '1',
      // Two callers of ours are one there: their keys must not be.
      ...(once !== null && { 'idempotency-key': keyThere(caller, once.key) }),
      ...(userToken !== null && { authorization: `Bearer ${userToken}` }),
      ...(text !== null && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    },
  })
  const status = answer.statusCode ?? 0
  // Without a user our own key was refused, which the caller cannot correct.
  const isOurFault = status === 401 && userToken === null && !isCredentialsCall(operation)
  if (isOurFault || (status >= 300 && status < 400) || status === 0) {
    answer.resume()
    request.log.error({ status }, 'HOSTED_API_URL refuses: check HOSTED_API_KEY')
    throw new AppError('hosted_unreachable')
  }
  void reply.status(status).headers(keptHeaders(answer.headers))
  return answer
}

function keyThere({ key }: HostedCaller, given: string): string {
  return createHash('sha256').update(`${key.id} ${given}`).digest('hex')
}

function isCredentialsCall({ name }: Operation): boolean {
  return name === contract.signInHosted.name
}

function addressOf({ path }: Operation, { params = {}, query = {} }: HostedCall, base: URL): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const url = new URL(base.href.replace(/\/$/, '') + filled)
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) url.searchParams.append(name, String(one))
  }
  return url
}

/** Makes the request and resolves with the answer's head; its body is still to be read. */
function ask(url: URL, body: string | null, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const signal = AbortSignal.timeout(answerTimeoutMs)
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, { ...options, signal }, resolve)
  request.on('error', (cause) => reject(new AppError('hosted_unreachable', { cause })))
  request.end(body ?? undefined)
  return promise
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = answerHeaders.map((name) => [name, headers[name.toLowerCase()]] as const)
  return Object.fromEntries(kept.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}
