import {
  realtimeAliveMs,
  realtimeCloseCodes,
  realtimePath,
  type RealtimeChange,
  type RealtimeMessage,
} from '../../contract/hosted/realtime.ts'
import type { HostedSession } from './hosted-session.ts'

/**
 * `connecting` until the backend answers the key; `live` while changes come; `waiting` between two tries; `refused` where
 * the key may not read the collection: it is not tried again.
 */
export type RealtimeStatus = 'connecting' | 'live' | 'waiting' | 'refused'

/** Callbacks for the changes of a collection. */
export interface CollectionListener {
  /** Once in the beginning, and when too much was missed: list the collection now; changes since then follow. */
  onReload(): void
  /** Each change once, in the order of the commits. */
  onChange(change: RealtimeChange): void
  onStatus?(status: RealtimeStatus): void
}

/** What connecting needs of the page. */
export interface RealtimePorts {
  /** From 0 up to 1: spreads the tries of many pages that lost the same server. */
  random: () => number
  /** By default the browser's. */
  connect?: (url: string) => WebSocket
}

const retryMs = { first: 500, most: 30_000 }
const answerTimeoutMs = 5000
const silenceMaxMs = 2.5 * realtimeAliveMs
const final = new Set<number>([realtimeCloseCodes.unauthorized, realtimeCloseCodes.forbidden])

/** Follows a collection by websocket, and connects again whenever it is lost, from the last change seen. Returns its undo. */
export function followCollection(
  session: HostedSession,
  collection: string,
  listener: CollectionListener,
  { random, connect = (url) => new WebSocket(url) }: RealtimePorts,
): () => void {
  let socket: WebSocket | null = null
  let lastId: number | null = null
  let failedCount = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    listener.onStatus?.('connecting')
    const next = connect(addressOf(session.apiBase, collection, lastId))
    socket = next
    watch(next, answerTimeoutMs)
    next.onopen = () => next.send(session.apiKey)
    next.onmessage = ({ data }) => {
      if (socket !== next) return
      watch(next, silenceMaxMs)
      take(JSON.parse(String(data)) as RealtimeMessage)
    }
    next.onclose = ({ code }) => {
      if (socket === next) lose(code)
    }
  }

  /** A connection that says nothing for so long is dead, whatever the browser believes. */
  function watch(of: WebSocket, timeoutMs: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // A browser may wait minutes for the other side to agree to the end.
      of.close()
      if (socket === of) lose(null)
    }, timeoutMs)
  }

  function take(message: RealtimeMessage): void {
    switch (message.type) {
      case 'alive':
        return
      case 'ready':
      case 'reload': {
        const isKnown = message.type === 'ready' && lastId !== null
        failedCount = 0
        lastId = message.last_id
        listener.onStatus?.('live')
        if (!isKnown) listener.onReload()
        return
      }
      case 'created':
      case 'updated':
      case 'deleted':
        if (lastId !== null && message.id <= lastId) return
        lastId = message.id
        listener.onChange(message)
    }
  }

  function lose(code: number | null): void {
    socket = null
    clearTimeout(timer)
    if (code !== null && final.has(code)) {
      listener.onStatus?.('refused')
      return
    }
    const waitMs = Math.min(retryMs.first * 2 ** failedCount, retryMs.most) * (0.5 + random() / 2)
    failedCount++
    timer = setTimeout(open, waitMs)
    listener.onStatus?.('waiting')
  }

  open()
  return () => {
    clearTimeout(timer)
    const last = socket
    socket = null
    last?.close()
  }
}

function addressOf(apiBase: string, collection: string, lastId: number | null): string {
  const path = realtimePath.replace('{collection}', encodeURIComponent(collection))
  // oxlint-disable-next-line regexp/no-super-linear-move -- the page's own setting, no text of a stranger
  const base = apiBase.replace(/\/+$/, '')
  const url = base === '' ? new URL(path, location.href) : new URL(base + path)
  url.protocol = url.protocol.replace('http', 'ws')
  if (lastId !== null) url.searchParams.set('last_id', String(lastId))
  return url.href
}
