import { LRUCache } from 'lru-cache'
import { AppError, errors } from '../../../contract/core/errors.ts'
import type { IdempotencyKeys } from '../../store/core/idempotency-key.ts'

/** A call that may be repeated: who makes it, under which key, and what it says. */
export interface RepeatableCall {
  scope: string
  key: string
  /** All that the call says: another one under the same key is refused. */
  request: string
}

export interface KeptAnswer {
  status: number
  body: unknown
  /** Digest of the stream that the call brought, if it brought one: another under the same key is refused. */
  streamDigest?: string
}

interface Ports {
  keys: Pick<IdempotencyKeys, 'claim' | 'keep' | 'forget' | 'release'>
  newId: () => string
}

/** What a call came to, and whether it was done before. */
export interface IdempotentResult {
  answer: KeptAnswer
  isRepeated: boolean
}

const busyRetryMs = 1000
/** Calls that are remembered because they could not be let go; the oldest is forgotten first, and is free after a minute. */
const heldMaxCount = 10_000
const reusedItem = {
  loc: ['header', 'idempotency-key'],
  msg: errors.idempotency_key_reused.sentence,
  type: 'idempotency_key_reused',
}

/** For another call under a key that was used. */
export const keyReused = () => new AppError('idempotency_key_reused', { items: [reusedItem] })

/** What a call that came with a key makes, and whether it may have been done before, its answer lost. */
export interface IdempotentRun {
  resourceId: string
  isRetry: boolean
}

/**
 * Does a call once for its Idempotency-Key, and gives the same answer each further time. `work` makes what it makes under
 * the id it is given: if it is done again because nobody knows how it ended, the id says whether it was done.
 * Throws `idempotency_key_reused`, `idempotency_in_progress`, and what `work` throws.
 */
export function createRunIdempotently({ keys, newId }: Ports) {
  /** Calls that ended here while the database was away, which takes them for under way; each with the ids it may know. */
  const held = new LRUCache<string, string[]>({ max: heldMaxCount })
  const nameOf = ({ scope, key }: RepeatableCall) => `${scope} ${key}`

  const hold = (call: RepeatableCall, id: string) => {
    const name = nameOf(call)
    held.set(name, [...(held.get(name) ?? []), id])
  }

  const claim = async (call: RepeatableCall) => {
    for (const id of held.get(nameOf(call)) ?? []) await keys.release(call, id)
    held.delete(nameOf(call))
    const id = newId()
    try {
      return await keys.claim(call, id)
    } catch (error) {
      hold(call, id) // It may have been claimed, the answer lost.
      throw error
    }
  }

  return async (
    call: RepeatableCall,
    work: (making: IdempotentRun) => Promise<KeptAnswer>,
  ): Promise<IdempotentResult> => {
    const standing = await claim(call)
    switch (standing.kind) {
      case 'answered':
        return { answer: standing.answer, isRepeated: true }
      case 'other':
        throw keyReused()
      case 'busy':
        throw new AppError('idempotency_in_progress', { retryAfterMs: busyRetryMs })
      case 'mine':
        return { answer: await doNow(call, standing, work), isRepeated: false }
    }
  }

  async function doNow(
    call: RepeatableCall,
    making: IdempotentRun,
    work: (making: IdempotentRun) => Promise<KeptAnswer>,
  ) {
    const { resourceId } = making
    let answer: KeptAnswer
    try {
      answer = await work(making)
    } catch (error) {
      await letGo(call, resourceId, error)
      throw error
    }
    // The work is done: an answer that cannot be kept must not make it look otherwise. It is done again under the same id.
    await keys.keep(call, resourceId, answer).catch(() => hold(call, resourceId))
    return answer
  }

  /** After a refusal nothing was done; after a verdict of the mail server all was; otherwise nobody knows. */
  async function letGo(call: RepeatableCall, id: string, error: unknown) {
    const letting = () => {
      if (!(error instanceof AppError)) return keys.release(call, id)
      const { status } = errors[error.code]
      if (error.code === 'send_failed') return keys.keep(call, id, { status, body: { detail: error.message } })
      return status < 500 ? keys.forget(call, id) : keys.release(call, id)
    }
    await letting().catch(() => hold(call, id)) // The first error says what happened.
  }
}
