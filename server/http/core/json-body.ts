import { AppError } from '../../../contract/core/errors.ts'
import { bodyMaxDepth } from '../../../contract/core/limits.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a JSON body. An empty one is no body. Refuses, with `malformed_body`, what two parsers may read
 * differently: invalid UTF-8, a byte order mark, a repeated key in one object, and unlimited nesting (RFC 8259 §4, §8.1).
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (error) {
    throw new AppError('malformed_body', { detail: 'The body is not valid UTF-8. Send it as UTF-8.', cause: error })
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    // V8's own message quotes the body, which may hold a secret.
    throw new AppError('malformed_body', { cause: (error as Error).name })
  }
  refuseAmbiguity(text)
  return body
}

const blank = 0x20
const quote = 0x22
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Walks a text that is known to be JSON, key by key. */
function refuseAmbiguity(text: string): void {
  /** Keys seen in each open object, null for an open array. */
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === openBrace || char === openBracket) {
      open.push(char === openBrace ? new Set() : null)
      if (open.length > bodyMaxDepth) {
        throw new AppError('malformed_body', {
          detail: `The body nests deeper than ${bodyMaxDepth} levels. Flatten it.`,
        })
      }
    } else if (char === closeBrace || char === closeBracket) open.pop()
    else if (char === quote) {
      const start = at
      at = endOfString(text, at)
      const keys = open.at(-1)
      if (keys && isFollowedByColon(text, at + 1)) {
        const written = text.slice(start + 1, at)
        const key = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written
        if (keys.has(key)) {
          const shown = key.length > 40 ? `${key.slice(0, 40)}…` : key
          throw new AppError('malformed_body', { detail: `The body has “${shown}” twice in one object. Send it once.` })
        }
        keys.add(key)
      }
    }
  }
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from
  // A blank, a tab, a line's end: nothing else may stand there, and all sort before the colon.
  while (text.charCodeAt(at) <= blank) at++
  return text[at] === ':'
}

function endOfString(text: string, start: number): number {
  let at = start
  do {
    at = text.indexOf('"', at + 1)
  } while (isEscaped(text, at))
  return at
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
