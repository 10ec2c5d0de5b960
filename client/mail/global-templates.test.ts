import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '../../contract/hosted/hosted.ts'
import type { RealtimeMessage } from '../../contract/hosted/realtime.ts'
import { startApi, type ApiServer } from '../../tests/support/api-server.ts'
import { createGlobalTemplates, type GlobalTemplates } from './global-templates.ts'
import { createHostedSession } from '../hosted/hosted-session.ts'

let api: ApiServer
let say: (...messages: RealtimeMessage[]) => void
let close: (code: number) => void
let templates: GlobalTemplates
let stop: () => void

const time = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const template = (id: string, second: number, changes: Partial<Document> = {}): Document => ({
  id,
  data: { subject: id },
  created_at: time(second),
  updated_at: time(second),
  ...changes,
})
const welcome = template('global-welcome', 1)
const receipt = template('global-receipt', 3)

const shown = () => templates.state.items.map(({ id }) => id)
const settled = () => vi.waitUntil(() => !['idle', 'loading'].includes(templates.state.status), { interval: 5 })

beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.received.length = 0
  api.on('listDocuments', { json: [welcome, receipt], headers: { 'X-Total-Count': '2' } })
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const session = createHostedSession({ apiBase: api.url, apiKey: 'hr_page', storage })
  templates = createGlobalTemplates(session, {
    random: () => 1,
    connect: () => {
      const socket = {
        onmessage: null,
        onclose: null,
        send: () => undefined,
        close: () => undefined,
      } as unknown as WebSocket
      say = (...messages) => {
        for (const message of messages) socket.onmessage?.({ data: JSON.stringify(message) } as MessageEvent)
      }
      close = (code) => socket.onclose?.({ code } as CloseEvent)
      return socket
    },
  })
  stop = templates.start()
})
afterEach(() => stop())

async function live(): Promise<void> {
  say({ type: 'ready', last_id: 2 })
  await settled()
}

describe('the list of global templates', () => {
  it('GLOBAL-10 GLOBAL-11 is the hosted collection templates: documents with a data object', async () => {
    await live()
    expect(templates.state).toMatchObject({ status: 'ready', items: [welcome, receipt], error: null })
    expect(api.received.map(({ path }) => path)).toEqual(['/collections/templates/documents'])
  })

  it("shows an operator's additions, changes and deletions, in the order of the list", async () => {
    await live()
    say({ type: 'created', id: 3, document: template('own', 2) })
    expect(shown()).toEqual(['global-welcome', 'own', 'global-receipt'])
    say({ type: 'updated', id: 4, document: { ...welcome, data: { subject: 'Hello' }, updated_at: time(9) } })
    expect(templates.state.items[0]?.data).toEqual({ subject: 'Hello' })
    say({ type: 'deleted', id: 5, document: { id: 'global-receipt' } })
    say({ type: 'deleted', id: 6, document: { id: 'never-there' } })
    expect(shown()).toEqual(['global-welcome', 'own'])
  })

  it('merges changes during a fetch, without duplicates or stale data', async () => {
    const newer = { ...welcome, data: { subject: 'newer' }, updated_at: time(20) }
    api.on('listDocuments', () => {
      say(
        { type: 'updated', id: 3, document: { ...welcome, data: { subject: 'older' }, updated_at: time(10) } },
        { type: 'deleted', id: 4, document: { id: receipt.id } },
        { type: 'created', id: 5, document: template('own', 5) },
      )
      return { json: [newer, receipt], headers: { 'X-Total-Count': '2' } }
    })
    await live()
    expect(shown()).toEqual(['global-welcome', 'own'])
    expect(templates.state.items[0]?.data).toEqual({ subject: 'newer' })
  })

  it('fetches page after page', async () => {
    const all = Array.from({ length: 501 }, (_, at) => template(`t${at}`, at))
    api.on('listDocuments', ({ query }) => {
      const offset = Number(query.get('offset'))
      return { json: all.slice(offset, offset + 500), headers: { 'X-Total-Count': '501' } }
    })
    await live()
    expect(templates.state.items).toHaveLength(501)
  })

  it('keeps its rows and shows the reason when a later fetch fails', async () => {
    await live()
    api.on('listDocuments', { status: 503, json: { detail: 'Busy.' } })
    await templates.load()
    expect(templates.state).toMatchObject({ status: 'failed', items: [welcome, receipt], error: 'Busy.' })
  })

  it('works without a websocket', async () => {
    close(1006)
    await settled()
    expect(shown()).toEqual(['global-welcome', 'global-receipt'])
  })

  it('is that of the later of two overlapping fetches', async () => {
    say({ type: 'ready', last_id: 2 })
    api.on('listDocuments', { json: [receipt], headers: { 'X-Total-Count': '1' } })
    await templates.load()
    expect(shown()).toEqual(['global-receipt'])
    expect(templates.state.status).toBe('ready')
  })
})
