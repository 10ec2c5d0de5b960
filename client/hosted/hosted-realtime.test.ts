import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Document } from '../../contract/hosted/hosted.ts'
import type { RealtimeChange, RealtimeMessage } from '../../contract/hosted/realtime.ts'
import { followCollection, type RealtimeStatus } from './hosted-realtime.ts'
import { createHostedSession } from './hosted-session.ts'

/** A websocket whose remote side is the test. */
class FarSocket {
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  readonly sent: string[] = []
  isClosed = false
  readonly url: string
  constructor(url: string) {
    this.url = url
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.isClosed = true
  }
  say(...messages: RealtimeMessage[]) {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) })
  }
  open(...messages: RealtimeMessage[]) {
    this.onopen?.()
    this.say(...messages)
  }
  end(code: number) {
    this.isClosed = true
    this.onclose?.({ code })
  }
}

let sockets: FarSocket[]
let statuses: RealtimeStatus[]
let reloadCount: number
let changes: RealtimeChange[]
let stop: () => void

const at = '2026-01-02T03:04:05.678Z'
const document = (id: string): Document => ({ id, data: {}, created_at: at, updated_at: at })
const created = (id: number): RealtimeChange => ({ type: 'created', id, document: document(`d${id}`) })
const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

function follow(apiBase = 'https://mail.example.com/'): void {
  stop = followCollection(
    createHostedSession({ apiBase, apiKey: 'hr_page', storage }),
    'templates',
    {
      onReload: () => reloadCount++,
      onChange: (change) => changes.push(change),
      onStatus: (status) => statuses.push(status),
    },
    {
      random: () => 1,
      connect: (url) => {
        const socket = new FarSocket(url)
        sockets.push(socket)
        return socket as unknown as WebSocket
      },
    },
  )
}
const last = () => sockets.at(-1)!

beforeEach(() => {
  vi.useFakeTimers()
  sockets = []
  statuses = []
  changes = []
  reloadCount = 0
})
afterEach(() => {
  stop()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('subscribing to a collection', () => {
  it('HOSTED-24 HOSTED-25 connects by websocket to its URL and sends the API key first', () => {
    follow()
    expect(last().url).toBe('wss://mail.example.com/realtime/collections/templates')
    expect(last().sent).toEqual([])
    last().open()
    expect(last().sent).toEqual(['hr_page'])
  })

  it('requests a list once the backend has confirmed, then delivers each change once', () => {
    follow()
    expect(reloadCount).toBe(0)
    last().open({ type: 'ready', last_id: 4 })
    expect(reloadCount).toBe(1)
    last().say(created(5), created(5), created(4), created(6), { type: 'alive' })
    expect(changes.map(({ id }) => id)).toEqual([5, 6])
    expect(statuses).toEqual(['connecting', 'live'])
  })

  it('requests the list again when too many changes were missed', () => {
    follow()
    last().open({ type: 'ready', last_id: 4 }, created(5))
    last().say({ type: 'reload', last_id: 90 }, created(91))
    expect(reloadCount).toBe(2)
    expect(changes.map(({ id }) => id)).toEqual([5, 91])
  })

  it('resets its position when the backend restarts its numbering', () => {
    follow()
    last().open({ type: 'ready', last_id: 4 }, created(5))
    last().say({ type: 'reload', last_id: 1 }, created(2))
    expect(changes.map(({ id }) => id)).toEqual([5, 2])
  })

  it('ends with its unsubscribe, and ignores later messages', () => {
    follow()
    last().open({ type: 'ready', last_id: 0 })
    stop()
    expect(last().isClosed).toBe(true)
    last().say(created(1))
    last().end(1006)
    expect(changes).toEqual([])
    expect(sockets).toHaveLength(1)
  })
})

describe('a lost connection', () => {
  it('is reopened from the last change received, without a new list', () => {
    follow()
    last().open({ type: 'ready', last_id: 4 }, created(5))
    last().end(1006)
    expect(statuses.at(-1)).toBe('waiting')
    vi.advanceTimersByTime(500)
    expect(last().url).toBe('wss://mail.example.com/realtime/collections/templates?last_id=5')
    last().open({ type: 'ready', last_id: 5 }, created(6))
    expect(reloadCount).toBe(1)
    expect(changes.map(({ id }) => id)).toEqual([5, 6])
  })

  it('is retried with increasing delays up to thirty seconds, and from the start again after a success', () => {
    follow()
    const waits: number[] = []
    for (let failure = 0; failure < 9; failure++) {
      last().end(1006)
      const before = sockets.length
      let waitedMs = 0
      for (; sockets.length === before; waitedMs += 100) vi.advanceTimersByTime(100)
      waits.push(waitedMs)
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    last().open({ type: 'ready', last_id: 0 })
    last().end(1001)
    vi.advanceTimersByTime(500)
    expect(sockets).toHaveLength(11)
  })

  it('is detected after five seconds without an answer, or two missed heartbeats', () => {
    follow()
    last().open()
    vi.advanceTimersByTime(5000)
    expect(last().isClosed).toBe(true)
    vi.advanceTimersByTime(500)
    expect(sockets).toHaveLength(2)
    last().open({ type: 'ready', last_id: 0 })
    for (let beat = 0; beat < 5; beat++) {
      vi.advanceTimersByTime(30_000)
      last().say({ type: 'alive' })
    }
    expect(last().isClosed).toBe(false)
    vi.advanceTimersByTime(75_000)
    expect(sockets[1]!.isClosed).toBe(true)
    // A late message of the dead connection is ignored.
    sockets[1]!.say(created(1))
    expect(changes).toEqual([])
  })

  it.each([4401, 4403])('is not retried after close code %i', (code) => {
    follow()
    last().open()
    last().end(code)
    expect(statuses.at(-1)).toBe('refused')
    vi.advanceTimersByTime(3_600_000)
    expect(sockets).toHaveLength(1)
  })
})
