import { pino, type DestinationStream, type Logger } from 'pino'
import { serializeError } from './domain/core/serialize-error.ts'

/** Lines of JSON. An error is logged only with fields that cannot contain an address, a body or a secret. */
export function createLogger(level: string, destination: DestinationStream): Logger {
  return pino({ level, base: null, serializers: { err: serializeError } }, destination)
}
