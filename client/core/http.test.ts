import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { sampleConfig } from '../../tests/support/samples.ts'
import type { addEmailConfig, listEmailConfigs } from '../../contract/mail/config.ts'
import * as account from '../account/account.ts'
import { addEmailConfig as add, listEmailConfigs as list } from '../mail/config.ts'
import { ApiError, call, callRaw, errorText, type Session } from './http.ts'

let api: ApiServer
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.received.length = 0
  api.on('listEmailConfigs', { json: [] })
})

const session = (changes: Partial<Session> = {}): Session => ({
  apiBase: api.url,
  token: () => 'at_1',
  shared: new Map(),
  ...changes,
})
const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(() => null).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}
const mailbox = { email_address: 'a@example.com', provider: 'gmail', app_password: 'secret' } as const

describe('a call', () => {
  it('CLIENT-01 goes to the base address, without its trailing slash, plus a path', async () => {
    await list(session({ apiBase: `${api.url}/` }))
    expect(api.received[0]?.path).toBe('/email/configs')
  })

  it('CLIENT-02 has JSON content type, without a body too', async () => {
    await list(session())
    expect(api.received[0]?.headers['content-type']).toBe('application/json')
  })

  it('CLIENT-03 carries the bearer token when there is one', async () => {
    await list(session())
    await list(session({ token: () => null }))
    expect(api.received.map((one) => one.headers.authorization)).toEqual(['Bearer at_1', undefined])
  })

  it('CLIENT-03 TRIAL-24 sign-in and password-reset calls carry it too, and their rejection does not end the session', async () => {
    const rejected: string[] = []
    for (const token of ['at_1', null]) {
      const caller = session({ token: () => token, rejected: (used) => rejected.push(used) })
      for (const name of ['signIn', 'exchangeSignInCode', 'requestPasswordReset', 'updatePassword'])
        api.on(name, { status: 401, json: { detail: 'Invalid credentials' } })
      const person = { email: 'ada@example.com', password: 'secret' }
      await Promise.allSettled([
        account.signIn(caller, person),
        account.exchangeSignInCode(caller, 'sc_1'),
        account.requestPasswordReset(caller, person.email),
        account.updatePassword(caller, { token: 'rs_1', new_password: 'secret' }),
      ])
    }
    const sent = api.received.map(({ headers }) => headers.authorization)
    expect(sent).toEqual([...Array<string>(4).fill('Bearer at_1'), ...Array<undefined>(4).fill(undefined)])
    expect(rejected).toEqual([])
  })

  it('CLIENT-04 the caller’s headers override its own', async () => {
    await list(session(), {}, { headers: { Authorization: 'Bearer other', 'Content-Type': 'application/json; v=2' } })
    expect(api.received[0]?.headers.authorization).toBe('Bearer other')
    expect(api.received[0]?.headers['content-type']).toBe('application/json; v=2')
  })

  it('CLIENT-05 sends an object body as JSON text', async () => {
    api.on('addEmailConfig', { status: 201, json: sampleConfig() })
    await add(session(), mailbox)
    expect(api.received[0]?.text).toBe(JSON.stringify(mailbox))
  })

  it('CLIENT-06 parses a response as JSON when its content type says JSON', async () => {
    api.on('listEmailConfigs', {
      json: [sampleConfig()],
      headers: { 'Content-Type': 'application/json', 'X-Total-Count': '7' },
    })
    expect(await list(session())).toEqual({ items: [sampleConfig()], totalCount: 7, nextCursor: null })
  })

  it('CLIENT-07 returns null for a response whose content type is not JSON', async () => {
    api.on('listEmailConfigs', { text: '[1]', headers: { 'Content-Type': 'text/plain' } })
    const answer = await call<typeof listEmailConfigs>(session(), { route: 'GET /email/configs' })
    expect(answer).toBeNull()
  })

  it('encodes path parameters and omits missing query parameters', async () => {
    await callRaw(session(), {
      route: 'GET /email/messages/{id}',
      params: { id: 'a/b c' },
      query: { limit: 5, offset: undefined },
    } as never)
    expect(api.received[0]?.params['id']).toBe('a/b c')
    expect(api.received[0]?.query.toString()).toBe('limit=5')
  })

  it('notifies the session only when a token was rejected', async () => {
    const refused: string[] = []
    const reporting = session({ rejected: (token) => refused.push(token) })
    api.on('listEmailConfigs', { status: 401, json: { detail: 'Sign in first.' } })
    await failure(list(reporting))
    await failure(list({ ...reporting, token: () => null }))
    expect(refused).toEqual(['at_1'])
  })
})

describe('a failed call', () => {
  it('ERRORS-08 CLIENT-08 throws API Error with status and the detail of the body', async () => {
    api.on('listEmailConfigs', { status: 403, json: { detail: 'Confirm first.' } })
    const error = await failure(list(session()))
    expect(error.message).toBe('API Error: 403 - Confirm first.')
    expect(error).toMatchObject({ code: 'answer', status: 403, detail: 'Confirm first.', method: 'GET', items: [] })
    expect(error.url).toBe(`${api.url}/email/configs`)
  })

  it('CLIENT-09 uses the HTTP status text when the body has no detail', async () => {
    api.on('listEmailConfigs', { status: 503, json: { other: 1 } })
    expect((await failure(list(session()))).message).toBe('API Error: 503 - Service Unavailable')
  })

  it('CLIENT-10 reads the body as JSON with any content type', async () => {
    api.on('listEmailConfigs', { status: 400, text: '{"detail":"Not so."}', headers: { 'Content-Type': 'text/plain' } })
    expect((await failure(list(session()))).detail).toBe('Not so.')
  })

  it('CLIENT-11 treats a body that is not JSON as an empty object', async () => {
    api.on('listEmailConfigs', { status: 502, text: '<h1>Bad gateway</h1>', headers: { 'Content-Type': 'text/html' } })
    expect((await failure(list(session()))).message).toBe('API Error: 502 - Bad Gateway')
  })

  it('joins the messages of a 422 and keeps its items', async () => {
    const items = [
      { loc: ['body', 'recipient_list', 2], msg: 'has no @', type: 'address' },
      { loc: ['body', 'subject'], msg: 'Give a subject.', type: 'required' },
    ]
    api.on('listEmailConfigs', { status: 422, json: { detail: items } })
    const error = await failure(list(session()))
    expect(error.detail).toBe('has no @. Give a subject.')
    expect(error.items).toEqual(items)
  })

  it.each([
    ['7', 7000],
    ['never', null],
  ])('exposes Retry-After %s as %s ms', async (header, expected) => {
    api.on('listEmailConfigs', { status: 429, json: { detail: 'Wait.' }, headers: { 'Retry-After': header } })
    expect((await failure(list(session()))).retryAfterMs).toBe(expected)
  })

  it('reads Retry-After as a date', async () => {
    const header = new Date(Date.now() + 60_000).toUTCString()
    api.on('listEmailConfigs', { status: 429, json: { detail: 'Wait.' }, headers: { 'Retry-After': header } })
    const { retryAfterMs } = await failure(list(session()))
    expect(retryAfterMs).toBeGreaterThan(50_000)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  it('has a code of its own when no response arrives', async () => {
    api.on('listEmailConfigs', { hangUp: true })
    const error = await failure(list(session()))
    expect(error).toMatchObject({ code: 'network', status: 0, method: 'GET' })
    expect(error.message).toBe('The server cannot be reached. Check your connection and try again.')
  })

  it('treats an aborted response like a missing one', async () => {
    api.on('listEmailConfigs', { text: '[{"id":', headers: { 'Content-Type': 'application/json' } })
    expect((await failure(list(session()))).code).toBe('network')
  })
})

describe('the text for display', () => {
  it.each([
    [
      'CLIENT-12 is the response’s detail',
      { response: { detail: 'of the response' }, detail: 'own', message: 'm' },
      'of the response',
    ],
    ['CLIENT-13 is a detail on the error without one', { response: {}, detail: 'own', message: 'm' }, 'own'],
    ['CLIENT-14 is the message without either', new Error('the message'), 'the message'],
    ['ERRORS-09 is An error occurred without any', {}, 'An error occurred'],
    ['is An error occurred for what is no error', undefined, 'An error occurred'],
  ])('%s', (_, error, text) => {
    expect(errorText(error)).toBe(text)
  })

  it('is the detail of a failed call, without the status', async () => {
    api.on('listEmailConfigs', { status: 403, json: { detail: 'Confirm first.' } })
    expect(errorText(await failure(list(session())))).toBe('Confirm first.')
  })

  it('CLIENT-15 is null for an aborted request', async () => {
    const aborter = new AbortController()
    const error = list(session(), {}, { signal: aborter.signal }).catch((caught: unknown) => caught)
    aborter.abort()
    expect(errorText(await error)).toBeNull()
  })
})

it('does not compile with another method, path or shape than the contract’s', () => {
  const never = () => {
    // @ts-expect-error -- another method
    void call<typeof listEmailConfigs>(session(), { route: 'POST /email/configs' })
    // @ts-expect-error -- another path
    void call<typeof listEmailConfigs>(session(), { route: 'GET /email/config' })
    // @ts-expect-error -- a body that is missing
    void call<typeof addEmailConfig>(session(), { route: 'POST /email/config' })
    // @ts-expect-error -- a body of another shape
    void call<typeof addEmailConfig>(session(), { route: 'POST /email/config', body: { email: 'a' } })
    // @ts-expect-error -- a provider that is not offered
    void add(session(), { ...mailbox, provider: 'aol' })
  }
  expect(never).toBeTypeOf('function')
})
