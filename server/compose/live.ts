import { startNotificationListener } from '../store/core/notification-listener.ts'
import { figuresChannel } from '../store/events/figures-channel.ts'
import { createLiveStreams } from '../usecases/core/live-streams.ts'
import type { ServerParts } from './core/parts.ts'

/** The open streams of figures of this process; they share one connection that listens. */
export function liveStreams({ direct, log, onStop, tickMs }: ServerParts) {
  let unlisten: (() => Promise<void>) | null = null
  const streams = createLiveStreams({
    tickMs,
    listen(onPayload) {
      unlisten = startNotificationListener({ connection: direct, log, channel: figuresChannel, onPayload })
    },
  })
  onStop(async () => {
    streams.close()
    await unlisten?.()
  })
  return streams
}
