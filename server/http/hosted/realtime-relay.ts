import { WebSocket } from 'ws'
import { realtimeAliveMs, realtimeCloseCodes, realtimePath } from '../../../contract/hosted/realtime.ts'
import { passedOnHeader, type HostedUpstream } from './hosted-relay.ts'
import type { RealtimeSource } from './realtime-source.ts'

interface Log {
  warn: (fields: object, message: string) => void
}

const handshakeTimeoutMs = 10_000
/** One that is silent for longer is gone. */
const silenceMaxMs = 2.5 * realtimeAliveMs
/** A document of 256 kB, however many of its characters JSON writes as six. */
const messageMaxBytes = 2 * 1024 * 1024

/** Changes of another deployment: one websocket there for each of ours, opened with our key. */
export function createRelayedSource({ url, apiKey }: HostedUpstream, log: Log): RealtimeSource {
  return {
    open({ collection, afterId, headers }, reader) {
      if (headers[passedOnHeader] !== undefined) return Promise.reject(new Error('This was passed on already.'))
      const upstream = new WebSocket(addressOf(url, collection, afterId), {
        handshakeTimeout: handshakeTimeoutMs,
        maxPayload: messageMaxBytes,
        perMessageDeflate: false,
        headers: { [passedOnHeader]: '1' },
      })
      const silence = setTimeout(() => upstream.terminate(), silenceMaxMs)
      upstream.on('ping', () => silence.refresh())
      upstream.on('open', () => upstream.send(apiKey))
      upstream.on('message', (text: Buffer) => {
        reader.send(text)
        if (!reader.isBehind()) return
        // Backpressure: unread changes are not buffered here.
        upstream.pause()
        void reader.drained().then(() => upstream.resume())
      })
      // The closing that follows says it too.
      upstream.on('error', (error) => log.warn({ err: error }, 'The websocket to HOSTED_API_URL broke'))
      upstream.on('close', (code) => {
        clearTimeout(silence)
        if (code === realtimeCloseCodes.unauthorized || code === realtimeCloseCodes.forbidden) {
          log.warn({ code }, 'HOSTED_API_URL refuses: check HOSTED_API_KEY')
        }
        reader.close(ownCodeOf(code))
      })
      return Promise.resolve(() => upstream.terminate())
    },
  }
}

/** What a closing there means for our reader: only being too slow is its own doing; else it may try again. */
function ownCodeOf(code: number): number {
  return code === realtimeCloseCodes.tooSlow || code === realtimeCloseCodes.stopping ? code : realtimeCloseCodes.full
}

function addressOf(base: URL, collection: string, afterId: number | null): URL {
  const path = realtimePath.replace('{collection}', encodeURIComponent(collection))
  const url = new URL(base.href.replace(/\/$/, '').replace(/^http/, 'ws') + path)
  if (afterId !== null) url.searchParams.set('last_id', String(afterId))
  return url
}
