import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { pageOf } from '../../tests/support/template-pages.ts'
import { sampleConfig, sampleTemplate, sampleUser } from '../../tests/support/samples.ts'
import { signIn } from './account.ts'
import { mailboxList } from '../mail/mailbox-list.ts'
import { createStoredSession, type EndReason, type StoredSession } from './session.ts'
import { templateList } from '../mail/template-list.ts'
import { searchTemplates } from '../mail/template-search.ts'

let api: ApiServer
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

class MemoryStorage {
  readonly kept = new Map<string, string>()
  getItem(key: string) {
    return this.kept.get(key) ?? null
  }
  setItem(key: string, value: string) {
    this.kept.set(key, value)
  }
  removeItem(key: string) {
    this.kept.delete(key)
  }
}

let storage: MemoryStorage
let tabs: EventTarget
let ended: EndReason[]
let session: StoredSession
let stop: () => void

beforeEach(() => {
  api.received.length = 0
  api.on('getCurrentUser', ({ headers }) =>
    headers.authorization === 'Bearer at_bad'
      ? { status: 401, json: { detail: 'Sign in first.' } }
      : { json: sampleUser({ id: headers.authorization ?? '' }) },
  )
  api.on('signOut', { status: 204 })
  storage = new MemoryStorage()
  tabs = new EventTarget()
  ended = []
  session = createStoredSession({ apiBase: api.url, storage, tabs, onEnded: (reason) => ended.push(reason) })
  stop = () => undefined
})
afterEach(() => {
  stop()
})

const settled = () => vi.waitUntil(() => session.state.status !== 'loading', { interval: 5 })
function fromOtherTab(token: string | null): void {
  if (token === null) storage.removeItem('access_token')
  else storage.setItem('access_token', token)
  tabs.dispatchEvent(Object.assign(new Event('storage'), { key: 'access_token', newValue: token }))
}
async function signedIn(token = 'at_1'): Promise<void> {
  storage.setItem('access_token', token)
  stop = session.start()
  await settled()
}

describe('at the start', () => {
  it('SESSION-02 SESSION-03 without a stored token it is logged out, and loading ends at once', () => {
    expect(session.state.status).toBe('loading')
    stop = session.start()
    expect(session.state).toMatchObject({ status: 'visitor', user: null })
    expect(api.received).toEqual([])
  })

  it('SESSION-01 SESSION-04 SESSION-05 SESSION-06 with one under access_token the user is fetched, then loading ends', async () => {
    storage.setItem('access_token', 'at_1')
    stop = session.start()
    expect(session.state.status).toBe('loading')
    await settled()
    expect(session.state).toMatchObject({ status: 'user', trouble: null })
    expect(session.state.user).toEqual(sampleUser({ id: 'Bearer at_1' }))
    expect(api.received.map((one) => `${one.method} ${one.path}`)).toEqual(['GET /auth/user'])
  })

  it('SESSION-07 the user has an email', async () => {
    await signedIn()
    expect(session.state.user?.email).toBe('studio@northwind.example')
  })

  it('SESSION-14 ignores an empty stored token', () => {
    storage.setItem('access_token', '')
    stop = session.start()
    expect(session.state.status).toBe('visitor')
  })

  it.each([401, 403, 500])('ERRORS-06 a user fetch that returns %i logs out', async (status) => {
    api.on('getCurrentUser', { status, json: { detail: 'No.' } })
    await signedIn()
    expect(session.state).toMatchObject({ status: 'visitor', user: null })
    expect(storage.getItem('access_token')).toBeNull()
    expect(ended).toEqual(['refused'])
  })

  it('ERRORS-07 a user fetch that throws keeps the token, shows the reason and can be retried', async () => {
    api.on('getCurrentUser', { hangUp: true })
    await signedIn()
    expect(session.state.trouble).toBe('The server cannot be reached. Check your connection and try again.')
    expect(storage.getItem('access_token')).toBe('at_1')
    api.on('getCurrentUser', { json: sampleUser() })
    await session.retry()
    expect(session.state).toMatchObject({ status: 'user', trouble: null, user: sampleUser() })
  })
})

describe('signing in', () => {
  it('SESSION-08 stores the token and fetches its user', async () => {
    stop = session.start()
    await session.accept('at_2')
    expect(storage.getItem('access_token')).toBe('at_2')
    expect(session.state.user?.id).toBe('Bearer at_2')
  })

  it('a wrong password does not end the current session', async () => {
    await signedIn()
    api.on('signIn', { status: 401, json: { detail: 'Invalid credentials' } })
    await expect(signIn(session, { email: 'a@example.com', password: 'wrong1' })).rejects.toThrow('401')
    expect(session.state.status).toBe('user')
    expect(ended).toEqual([])
  })
})

describe('logging out', () => {
  it('SESSION-09 SESSION-10 removes the token, clears the user and ends the session on the server', async () => {
    await signedIn()
    session.signOut()
    expect(storage.getItem('access_token')).toBeNull()
    expect(session.state).toMatchObject({ status: 'visitor', user: null })
    expect(ended).toEqual(['signed-out'])
    await vi.waitUntil(() => api.received.some((one) => one.path === '/auth/logout'), { interval: 5 })
    expect(api.received.at(-1)?.headers.authorization).toBe('Bearer at_1')
  })

  it('clears the shared lists of the screens', async () => {
    await signedIn()
    api.on('listEmailConfigs', { json: [sampleConfig()] })
    await mailboxList(session).load()
    session.signOut()
    expect(mailboxList(session).state.items).toEqual([])
  })

  it('follows the rejection of a token on any call', async () => {
    await signedIn()
    api.on('listEmailConfigs', { status: 401, json: { detail: 'Sign in first.' } })
    await mailboxList(session).load()
    expect(session.state.status).toBe('visitor')
    expect(ended).toEqual(['refused'])
  })
})

describe('another tab', () => {
  it('SESSION-12 that stores another token updates the token', async () => {
    await signedIn()
    fromOtherTab('at_9')
    expect(session.token()).toBe('at_9')
    await vi.waitUntil(() => session.state.user?.id === 'Bearer at_9', { interval: 5 })
  })

  it('SESSION-13 that clears the token causes logout', async () => {
    await signedIn()
    fromOtherTab('')
    expect(session.state.status).toBe('visitor')
    expect(ended).toEqual(['other-tab'])
  })

  it('that clears its whole storage causes logout too', async () => {
    await signedIn()
    storage.kept.clear()
    tabs.dispatchEvent(Object.assign(new Event('storage'), { key: null, newValue: null }))
    expect(session.state.status).toBe('visitor')
  })

  it('is ignored after the unsubscribe', async () => {
    await signedIn()
    stop()
    fromOtherTab(null)
    expect(session.token()).toBe('at_1')
  })
})

describe('the list of mailboxes', () => {
  it('CONFIG-23 is one store for the whole session, under the key email-config', async () => {
    await signedIn()
    api.on('listEmailConfigs', { json: [sampleConfig()] })
    await Promise.all([mailboxList(session).load(), mailboxList(session).load()])
    expect(session.shared.get('email-config')).toBe(mailboxList(session))
    expect(mailboxList(session).state).toMatchObject({ status: 'ready', items: [sampleConfig()], error: null })
    expect(api.received.filter((one) => one.path === '/email/configs')).toHaveLength(1)
  })

  it('shows the first page at once, and all pages in the end', async () => {
    await signedIn()
    const all = Array.from({ length: 501 }, (_, at) => sampleConfig({ id: `cfg_${at}` }))
    api.on('listEmailConfigs', ({ query }) => {
      const from = query.get('cursor') === 'next' ? 500 : 0
      const next = from === 0 ? { 'X-Next-Cursor': 'next' } : undefined
      if (from > 0) expect(mailboxList(session).state).toMatchObject({ status: 'loading', items: { length: 500 } })
      return { json: all.slice(from, from + 500), headers: { 'X-Total-Count': '501', ...next } }
    })
    await mailboxList(session).load()
    expect(mailboxList(session).state.items).toHaveLength(501)
  })

  it('keeps its rows when a later load fails, and shows the reason', async () => {
    await signedIn()
    api.on('listEmailConfigs', { json: [sampleConfig()] })
    await mailboxList(session).load()
    api.on('listEmailConfigs', { status: 503, json: { detail: 'The service is starting.' } })
    await mailboxList(session).load()
    expect(mailboxList(session).state).toMatchObject({ status: 'failed', error: 'The service is starting.' })
    expect(mailboxList(session).state.items).toHaveLength(1)
  })

  it('upserts and removes single rows', async () => {
    await signedIn()
    const list = mailboxList(session)
    list.put(sampleConfig())
    list.put(sampleConfig({ status: 'paused', pause_reason: 'The app password was refused.' }))
    expect(list.state.items.map((item) => item.status)).toEqual(['paused'])
    list.remove('cfg_1')
    expect(list.state.items).toEqual([])
  })
})

describe('the list of templates', () => {
  const many = Array.from({ length: 1001 }, (_, at) =>
    sampleTemplate({ id: `tpl_${at}`, created_at: new Date(Date.UTC(2025, 8, 1) - at * 1000).toISOString() }),
  )
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
  const asked = () => api.received.filter((one) => one.path === '/email/templates')
  const openMany = async () => {
    await signedIn()
    api.received.length = 0
    api.on('getEmailTemplates', ({ query }) => pageOf(many, query))
    await templateList(session).load()
    return templateList(session)
  }

  it('is loaded page by page, and a reload keeps what was loaded', async () => {
    const list = await openMany()
    expect(list.state).toMatchObject({ items: { length: 500 }, hasMore: true, totalCount: 1001 })
    await Promise.all([list.loadMore(), list.loadMore()])
    expect(idsOf(list.state.items)).toEqual(idsOf(many.slice(0, 1000)))
    expect(asked()).toHaveLength(2)
    await list.load({ isForced: true })
    expect(list.state.items).toHaveLength(500)
    await list.loadMore()
    await list.loadMore()
    expect(list.state).toMatchObject({ items: { length: 1001 }, hasMore: false })
    await list.loadMore()
    expect(asked()).toHaveLength(5)
  })

  it('keeps its rows where the next page fails, and loads it with the next call', async () => {
    const list = await openMany()
    api.on('getEmailTemplates', { status: 503, json: { detail: 'The service is starting.' } })
    await list.loadMore()
    expect(list.state).toMatchObject({ status: 'failed', error: 'The service is starting.', items: { length: 500 } })
    api.on('getEmailTemplates', ({ query }) => pageOf(many, query))
    await list.loadMore()
    expect(list.state).toMatchObject({ status: 'ready', error: null, items: { length: 1000 } })
  })

  it('inserts a row at its place, and does not repeat it when its page comes', async () => {
    const list = await openMany()
    list.put(many[700]!)
    expect(list.state.items).toHaveLength(500)
    expect(idsOf(list.state.found)).toEqual(['tpl_700'])
    list.remove('tpl_3')
    list.put(many[3]!)
    expect(idsOf(list.state.items.slice(0, 5))).toEqual(['tpl_0', 'tpl_1', 'tpl_2', 'tpl_3', 'tpl_4'])
    list.put({ ...many[700]!, subject: 'Changed' })
    expect(list.state.found.map(({ subject }) => subject)).toEqual(['Changed'])
    await list.loadMore()
    expect(list.state.found).toEqual([])
    expect(idsOf(list.state.items)).toEqual(idsOf(many.slice(0, 1000)))
  })

  it('is searched on the server where it is not loaded: after a pause, the last query alone', async () => {
    const list = await openMany()
    const search = searchTemplates(session, true)
    search.find('tpl')
    search.find('thursday')
    await vi.waitUntil(() => search.state.status === 'idle', { interval: 5 })
    expect(asked().map(({ query }) => query.get('search'))).toEqual([null, 'thursday'])
    expect(idsOf(list.state.found)).toEqual(idsOf(many.slice(500, 600)))
    expect(search.state).toMatchObject({ totalCount: 1001, hasMore: true })
    search.loadMore()
    await vi.waitUntil(() => list.state.found.length === 200, { interval: 5 })
    expect(list.state.items).toHaveLength(500)
    await list.loadMore()
    await list.loadMore()
    search.find('doors')
    expect(search.state.status).toBe('idle')
  })

  it('TOASTS-12 is cached for five seconds, shared by every screen, newest first', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      await signedIn()
      api.on('getEmailTemplates', { json: [sampleTemplate()] })
      const asked = () => api.received.filter((one) => one.path === '/email/templates').length
      await templateList(session).load()
      vi.advanceTimersByTime(4999)
      await templateList(session).load()
      expect(asked()).toBe(1)
      vi.advanceTimersByTime(1)
      await templateList(session).load()
      expect(asked()).toBe(2)
      templateList(session).put(sampleTemplate({ id: 'tpl_2' }))
      expect(templateList(session).state.items.map(({ id }) => id)).toEqual(['tpl_2', 'tpl_1'])
    } finally {
      vi.useRealTimers()
    }
  })
})
