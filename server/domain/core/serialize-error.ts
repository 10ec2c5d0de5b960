/** What a log may say of an error. */
export interface SerializedError {
  type: string
  code?: string
  message?: string
  /** Where it came about: function and place, the innermost first. */
  at?: string[]
  cause?: SerializedError
}

const framesMaxCount = 8
const causesMaxCount = 3
/** Of the system and of PostgreSQL: their messages name files, hosts, tables and rules. Class 22 quotes the value. */
const plainCode = /^(?:E[A-Z]+|(?!22)[0-9A-Z]{5})$/

/**
 * Reads an error for a log. Messages are kept only where they cannot hold what somebody wrote: a driver's message may
 * repeat a statement with its parameters, a parser's the text it could not read, a database's `detail` a whole row.
 */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const isPlain = code !== undefined && plainCode.test(code)
  const at = framesOf(error)
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    ...(isPlain && { message: error.message }),
    ...(at.length > 0 && { at }),
    ...(error.cause !== undefined && depth < causesMaxCount && { cause: serializeError(error.cause, depth + 1) }),
  }
}

/** A stack begins with the message, whose lines may look like frames; one that it no longer begins with hides where it ends. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message)
  if (start < 0) return []
  const lines = stack.slice(start + message.length).split('\n')
  const frames = lines.filter((line) => /^\s+at /.test(line))
  return frames.slice(0, framesMaxCount).map((frame) => frame.trim().slice(3))
}
