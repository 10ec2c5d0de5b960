import type { WebSocket } from '@fastify/websocket'
import { realtimeCloseCodes } from '../../../contract/hosted/realtime.ts'

/** One websocket that is sent to. A reader that does not keep up is dropped: what waits for it has a bound. */
export interface Reader {
  /** Sends a text. */
  send: (text: Buffer) => void
  /** Whether so much waits that more should not be sent now. */
  isBehind: () => boolean
  /** Resolves once what was sent has left this process, or the websocket is closed. */
  drained: () => Promise<void>
  /** Closes with a code, by force where the other side does not answer within two seconds. */
  close: (code: number) => void
  /** Resolves with the code once it is closed. */
  closed: Promise<number>
  /** Called with the first message; anything after it closes the websocket. */
  onFirstMessage: (listener: (text: string) => void) => void
  /** Sends a ping; closes the connection where the last one was not answered. */
  ping: () => void
}

/** How much may wait for a reader. Texts are shared by all readers, so this is not their number times as much. */
const waitingMaxBytes = 4 * 1024 * 1024
const behindBytes = 256 * 1024
const drainTimeoutMs = 10_000
/** How long the other side has to answer a close. */
const closeTimeoutMs = 2000

/** Takes care of a websocket that was just opened. */
export function createReader(socket: WebSocket): Reader {
  const closed = Promise.withResolvers<number>()
  let firstMessage: ((text: string) => void) | null = null
  let isAlive = true

  let forcing: NodeJS.Timeout | undefined
  socket.on('close', (code) => {
    clearTimeout(forcing)
    closed.resolve(code)
  })
  socket.on('pong', () => (isAlive = true))
  socket.on('message', (data: Buffer) => {
    const listener = firstMessage
    firstMessage = null
    if (listener === null) close(realtimeCloseCodes.unexpected)
    else listener(data.toString())
  })

  function close(code: number): void {
    if (socket.readyState !== socket.OPEN) return
    socket.close(code)
    forcing = setTimeout(() => socket.terminate(), closeTimeoutMs)
  }

  return {
    close,
    closed: closed.promise,
    send(text) {
      if (socket.readyState !== socket.OPEN) return
      socket.send(text, { binary: false })
      if (socket.bufferedAmount > waitingMaxBytes) close(realtimeCloseCodes.tooSlow)
    },
    isBehind: () => socket.bufferedAmount > behindBytes,
    async drained() {
      if (socket.readyState !== socket.OPEN) return
      const sent = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => close(realtimeCloseCodes.tooSlow), drainTimeoutMs)
      // The ping is queued behind all waiting frames: once it is sent, so are they.
      socket.ping(undefined, undefined, () => sent.resolve(undefined))
      await Promise.race([sent.promise, closed.promise])
      clearTimeout(timer)
    },
    onFirstMessage: (listener) => (firstMessage = listener),
    ping() {
      if (!isAlive) socket.terminate()
      isAlive = false
      if (socket.readyState === socket.OPEN) socket.ping()
    },
  }
}
