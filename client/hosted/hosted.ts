import type { Document, HostedUser, SignedIn } from '../../contract/hosted/hosted.ts'
import type * as api from '../../contract/hosted/hosted.ts'
import type { BodyOf, Operation, QueryOf } from '../../contract/core/operation.ts'
import { HostedError, toHostedError } from './hosted-error.ts'
import type { HostedSession } from './hosted-session.ts'
import { call, callList, type Call, type CallOptions, type Page } from '../core/http.ts'
import * as routes from '../../contract/hosted/hosted.routes.ts'

/** One document. All calls of this file throw HostedError. */
export function getDocument(
  session: HostedSession,
  collection: string,
  id: string,
  options?: CallOptions,
): Promise<Document> {
  const params = { collection, id }
  return send<typeof api.getDocument>(session, { route: routes.getDocument, params }, options)
}

/** Puts a document into a collection; `id` is made by the backend where it is absent. */
export function createDocument(
  session: HostedSession,
  collection: string,
  data: Document['data'],
  { id }: { id?: string } = {},
  options?: CallOptions,
): Promise<Document> {
  const body = { data, ...(id !== undefined && { id }) }
  return send<typeof api.createDocument>(
    session,
    { route: routes.createDocument, query: { collection }, body, status: 201 },
    options,
  )
}

/** Merges changes into a document's data; null removes a field. */
export function updateDocument(
  session: HostedSession,
  collection: string,
  id: string,
  data: Document['data'],
  options?: CallOptions,
): Promise<Document> {
  const params = { collection, id }
  return send<typeof api.updateDocument>(session, { route: routes.updateDocument, params, body: { data } }, options)
}

/** Deletes a document. */
export function deleteDocument(
  session: HostedSession,
  collection: string,
  id: string,
  options?: CallOptions,
): Promise<null> {
  const params = { collection, id }
  return send<typeof api.deleteDocument>(session, { route: routes.deleteDocument, params }, options)
}

/** Documents of a collection, oldest first. `filter` is `field=value`, or several of which all hold. */
export function listDocuments(
  session: HostedSession,
  collection: string,
  query: QueryOf<typeof api.listDocuments> = {},
  options?: CallOptions,
): Promise<Page<Document>> {
  const list = { route: routes.listDocuments, params: { collection }, query } as const
  return toHostedError(callList<typeof api.listDocuments>(session, list, withKey(session, options)))
}

/** Signs a hosted user in and keeps token and user. */
export function signInHosted(
  session: HostedSession,
  body: BodyOf<typeof api.signInHosted>,
  options?: CallOptions,
): Promise<SignedIn> {
  const signIn = { route: routes.signInHosted, body } as const
  return keepEntry(session, send<typeof api.signInHosted>(strangerOf(session), signIn, options))
}

/** Makes a hosted user, and keeps token and user. */
export function signUpHosted(
  session: HostedSession,
  body: BodyOf<typeof api.signUpHosted>,
  options?: CallOptions,
): Promise<SignedIn> {
  const signUp = { route: routes.signUpHosted, body } as const
  return keepEntry(session, send<typeof api.signUpHosted>(strangerOf(session), signUp, options))
}

/** The signed-in hosted user, who is kept. Requires a sign-in: without one no call is made. */
export async function getHostedUser(session: HostedSession, options?: CallOptions): Promise<HostedUser> {
  const own = { route: routes.getHostedUser } as const
  requireToken(session, own)
  return keepAnswer(session, send<typeof api.getHostedUser>(session, own, options))
}

/** Changes the signed-in hosted user, who is kept. Requires a sign-in: without one no call is made. */
export async function updateHostedUser(
  session: HostedSession,
  body: BodyOf<typeof api.updateHostedUser>,
  options?: CallOptions,
): Promise<HostedUser> {
  const change = { route: routes.updateHostedUser, body } as const
  requireToken(session, change)
  return keepAnswer(session, send<typeof api.updateHostedUser>(session, change, options))
}

function send<O extends Operation>(session: HostedSession, what: Call<O>, options?: CallOptions) {
  return toHostedError(call<O>(session, what, withKey(session, options)))
}

function withKey({ apiKey }: HostedSession, options: CallOptions = {}): CallOptions {
  return { ...options, headers: { 'x-api-key': apiKey, ...options.headers } }
}

/** Without the token of an earlier user: one that has ended would be refused. */
function strangerOf(session: HostedSession): HostedSession {
  return { ...session, token: () => null }
}

async function keepEntry(session: HostedSession, entry: Promise<SignedIn>): Promise<SignedIn> {
  const signedIn = await entry
  session.keep(signedIn)
  return signedIn
}

function requireToken(session: HostedSession, { route }: { route: string }): void {
  if (session.token() !== null) return
  const [method = '', path = ''] = route.split(' ')
  throw new HostedError({ status: 401, url: session.apiBase + path, method, error: 'No hosted user is signed in.' })
}

async function keepAnswer(session: HostedSession, answer: Promise<HostedUser>): Promise<HostedUser> {
  try {
    const user = await answer
    session.keepUser(user)
    return user
  } catch (error) {
    // The token has expired: the next call is a visitor's.
    if (error instanceof HostedError && error.status === 401) session.forget()
    throw error
  }
}
