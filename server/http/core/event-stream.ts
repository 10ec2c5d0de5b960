import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A comment after so long without an event, so that nothing on the way takes the connection for dead. */
const quietMs = 15_000

/**
 * Answers with server-sent events (WHATWG HTML §9.2), one per value, until the generator ends or the client disconnects.
 * A handler returns its result.
 */
export function eventStream<T>(
  reply: FastifyReply,
  name: string,
  things: AsyncGenerator<T>,
  toData: (thing: T) => object,
): never {
  void reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    // Proxies such as nginx hold answers back otherwise.
    'x-accel-buffering': 'no',
  })
  const stream = new Readable({
    read() {
      void things.next().then(
        ({ done, value }) => {
          if (done) stream.push(null)
          else stream.push(`event: ${name}\ndata: ${JSON.stringify(toData(value))}\n\n`)
        },
        (error: unknown) =>
          stream.destroy(error instanceof Error ? error : new Error('No more events', { cause: error })),
      )
    },
    destroy(error, done) {
      clearInterval(quiet)
      void things.return(undefined)
      done(error)
    },
  })
  const quiet = setInterval(() => stream.push(':\n\n'), quietMs)
  return stream as never
}
