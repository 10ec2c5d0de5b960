import { pino, type DestinationStream, type Logger } from 'pino'
import { serializeError } from './domain/core/serialize-error.ts'

/** Lines of JSON. Of an error only what cannot hold an address, a body or a secret is written. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination)
}
