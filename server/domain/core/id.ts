import { randomUUID } from 'node:crypto'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const maxPerMs = 0x1000

/** Whether a text names a row: anything else names none, and is never sent to the database. */
export function isRowId(text: string): boolean {
  return uuid.test(text)
}

/**
 * Makes ids of rows, each after the one before: UUIDs of version 7 (RFC 9562 §5.7, §6.2 method 1), so that the database adds
 * new rows at the end of its indexes. 62 bits are chance; who must not guess something gets a token.
 */
export function createNewId(now: () => number = Date.now): () => string {
  let ms = 0
  let count = 0
  return () => {
    count += 1
    const nowMs = now()
    // A clock that was set back, and more ids than fit into a millisecond, go on from the last one.
    if (nowMs > ms || count >= maxPerMs) {
      ms = Math.max(nowMs, ms + 1)
      count = 0
    }
    const time = ms.toString(16).padStart(12, '0')
    return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`
  }
}
