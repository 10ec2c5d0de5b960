import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Document, HostedUser } from '../../contract/hosted/hosted.ts'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { HostedError } from './hosted-error.ts'
import { createHostedSession, type HostedSession } from './hosted-session.ts'
import * as hosted from './hosted.ts'

let api: ApiServer
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const at = '2026-01-02T03:04:05.678Z'
const document: Document = { id: 'global-welcome', data: { subject: 'Welcome' }, created_at: at, updated_at: at }
const user: HostedUser = { id: 'u1', email: 'ann@example.com', data: { plan: 'free' }, created_at: at, updated_at: at }
const signedIn = { access_token: 'hu_1', user }
const credentials = { email: 'ann@example.com', password: 'correct horse' }

let kept: Map<string, string>
let session: HostedSession

beforeEach(() => {
  api.received.length = 0
  kept = new Map()
  session = createHostedSession({
    apiBase: api.url,
    apiKey: 'hr_page',
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
  })
  api.on('getDocument', { json: document })
  api.on('createDocument', { status: 201, json: document })
  api.on('updateDocument', { json: document })
  api.on('deleteDocument', { status: 204 })
  api.on('listDocuments', { json: [document], headers: { 'X-Total-Count': '7' } })
  api.on('signInHosted', { json: signedIn })
  api.on('signUpHosted', { status: 201, json: signedIn })
  api.on('getHostedUser', { json: user })
  api.on('updateHostedUser', { json: user })
})

const last = () => api.received.at(-1)!

/** Every call of the file once, a user being signed in after the third. */
const callAll = async () => {
  await hosted.getDocument(session, 'news', 'a')
  await hosted.signUpHosted(session, { ...credentials, data: {} })
  await hosted.signInHosted(session, credentials)
  await hosted.createDocument(session, 'news', {})
  await hosted.updateDocument(session, 'news', 'a', {})
  await hosted.deleteDocument(session, 'news', 'a')
  await hosted.listDocuments(session, 'news')
  await hosted.getHostedUser(session)
  await hosted.updateHostedUser(session, { data: {} })
}

describe('requests', () => {
  it('HOSTED-01 all carry the API key in a header', async () => {
    await callAll()
    expect(api.received.map(({ headers }) => headers['x-api-key'])).toEqual(Array(9).fill('hr_page'))
  })

  it('HOSTED-02 carry the bearer token after login, and none before or at a sign-in', async () => {
    await callAll()
    const bearers = api.received.map(({ headers }) => headers.authorization)
    expect(bearers).toEqual([undefined, undefined, undefined, ...Array<string>(6).fill('Bearer hu_1')])
  })

  it('HOSTED-03 HOSTED-06 HOSTED-07 wrap the document in a data object', async () => {
    await hosted.createDocument(session, 'news', { title: 'Doors open' })
    expect(last()).toMatchObject({
      method: 'POST',
      path: '/collections/documents',
      body: { data: { title: 'Doors open' } },
    })
    expect(last().query.get('collection')).toBe('news')
    await hosted.createDocument(session, 'news', {}, { id: 'global-welcome' })
    expect(last().body).toEqual({ data: {}, id: 'global-welcome' })
    await hosted.updateDocument(session, 'news', 'a b', { old: null })
    expect(last()).toMatchObject({
      method: 'PATCH',
      path: '/collections/news/documents/a%20b',
      body: { data: { old: null } },
    })
  })

  it('HOSTED-04 HOSTED-13 HOSTED-15 HOSTED-17 of auth calls are not wrapped', async () => {
    await hosted.signUpHosted(session, { ...credentials, data: { plan: 'free' } })
    expect(last().body).toEqual({ ...credentials, data: { plan: 'free' } })
    await hosted.signInHosted(session, credentials)
    expect(last().body).toEqual(credentials)
    await hosted.updateHostedUser(session, { ...credentials, data: { plan: 'paid' } })
    expect(last().body).toEqual({ ...credentials, data: { plan: 'paid' } })
  })

  it('HOSTED-09 HOSTED-10 HOSTED-11 HOSTED-12 GLOBAL-10 list with limit, offset and filters, and return the total count', async () => {
    const page = await hosted.listDocuments(session, 'templates', {
      limit: 5,
      offset: 10,
      filter: ['a=1', 'b__gt=2&c'],
    })
    expect(page).toEqual({ items: [document], totalCount: 7, nextCursor: null })
    expect(last().path).toBe('/collections/templates/documents')
    expect([...last().query]).toEqual([
      ['limit', '5'],
      ['offset', '10'],
      ['filter', 'a=1'],
      ['filter', 'b__gt=2&c'],
    ])
    await hosted.listDocuments(session, 'templates', { filter: 'a=1' })
    expect(last().query.getAll('filter')).toEqual(['a=1'])
    await hosted.listDocuments(session, 'templates')
    expect([...last().query]).toEqual([])
  })
})

describe('a hosted user', () => {
  it('HOSTED-14 HOSTED-20 HOSTED-21 LIMITS-13 is stored with the token, as cocobase-token and cocobase-user', async () => {
    await hosted.signInHosted(session, credentials)
    expect(Object.fromEntries(kept)).toEqual({ 'cocobase-token': 'hu_1', 'cocobase-user': JSON.stringify(user) })
    expect([session.token(), session.user()]).toEqual(['hu_1', user])
    session.forget()
    expect([kept.size, session.token(), session.user()]).toEqual([0, null, null])
  })

  it('is updated with each response of the backend', async () => {
    await hosted.signUpHosted(session, credentials)
    api.on('updateHostedUser', { json: { ...user, email: 'lee@example.com' } })
    await hosted.updateHostedUser(session, { email: 'lee@example.com' })
    expect(session.user()?.email).toBe('lee@example.com')
    api.on('getHostedUser', { json: { ...user, email: 'eve@example.com' } })
    expect((await hosted.getHostedUser(session)).email).toBe('eve@example.com')
    expect(session.user()?.email).toBe('eve@example.com')
  })

  it('HOSTED-22 HOSTED-16 is requested only after a sign-in: without one no call is made', async () => {
    await expect(hosted.getHostedUser(session)).rejects.toMatchObject({ status: 401, method: 'GET' })
    expect(api.received).toEqual([])
    await hosted.signInHosted(session, credentials)
    expect(await hosted.getHostedUser(session)).toEqual(user)
  })

  it('HOSTED-23 is changed only after a sign-in: without one no call is made', async () => {
    await expect(hosted.updateHostedUser(session, {})).rejects.toMatchObject({ status: 401, method: 'PATCH' })
    expect(api.received).toEqual([])
  })

  it('is removed once the backend rejects the token, and kept when it is only overloaded', async () => {
    await hosted.signInHosted(session, credentials)
    api.on('getHostedUser', { status: 503, json: { detail: 'Busy.' } })
    await expect(hosted.getHostedUser(session)).rejects.toThrow('Busy.')
    expect(session.token()).toBe('hu_1')
    api.on('getHostedUser', { status: 401, json: { detail: 'Sign in first.' } })
    await expect(hosted.getHostedUser(session)).rejects.toThrow('Sign in first.')
    expect(kept.size).toBe(0)
  })

  it('is null with invalid stored data', () => {
    kept.set('cocobase-user', '{')
    kept.set('cocobase-token', '')
    expect([session.user(), session.token()]).toEqual([null, null])
  })
})

describe('a failure', () => {
  const fail = async (status: number, detail = 'No.') => {
    api.on('updateDocument', { status, json: { detail } })
    const error = await hosted.updateDocument(session, 'news', 'a', {}).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(HostedError)
    return error as HostedError
  }

  it('ERRORS-32 carries status, url, method and error', async () => {
    expect(await fail(409, 'It is there already.')).toMatchObject({
      status: 409,
      url: `${api.url}/collections/news/documents/a`,
      method: 'PATCH',
      error: 'It is there already.',
      message: 'It is there already.',
      hint: null,
    })
  })

  it('HOSTED-26 with status 401 carries a hint', async () => {
    const { hint, message } = await fail(401)
    expect(hint).toMatch(/API key.*sign in/)
    expect(message).toBe(`No. ${hint!}`)
  })

  it('HOSTED-27 with status 403 carries a hint', async () => {
    expect((await fail(403)).hint).toMatch(/read key/)
  })

  it('HOSTED-28 with status 404 carries a hint', async () => {
    expect((await fail(404)).hint).toMatch(/names of the collection and of the document/)
  })

  it('HOSTED-29 with status 405 carries a hint', async () => {
    expect((await fail(405)).hint).toMatch(/another method/)
  })

  it('HOSTED-30 with status 429 carries a hint, and the delay', async () => {
    api.on('signInHosted', { status: 429, json: { detail: 'Too many.' }, headers: { 'Retry-After': '30' } })
    const error = await hosted.signInHosted(session, credentials).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ status: 429, hint: expect.stringMatching(/wait a moment/), retryAfterMs: 30_000 })
  })

  it('without a response has status 0 and a message', async () => {
    api.on('listDocuments', { hangUp: true })
    await expect(hosted.listDocuments(session, 'news')).rejects.toMatchObject({
      status: 0,
      method: 'GET',
      error: 'The server cannot be reached. Check your connection and try again.',
    })
  })

  it('aborted by the caller stays an abort', async () => {
    const signal = AbortSignal.abort()
    await expect(hosted.listDocuments(session, 'news', {}, { signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
