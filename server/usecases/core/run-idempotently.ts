import { LRUCache } from 'lru-cache'
import { AppError, errors } from '../../../contract/core/errors.ts'
import type { IdempotencyKeys } from '../../store/core/idempotency-key.ts'
import type { Scope } from '../../domain/auth/scope.ts'

/** A call with an Idempotency-Key. */
export interface RepeatableCall {
  scope: Scope
  /** Operation and caller; the keys of different callers are independent. */
  caller: string
  key: string
  /** Serialized parameters and body: a different request under the same key is refused. */
  request: string
}

export interface KeptAnswer {
  status: number
  body: unknown
  /** Digest of the streamed body, if there is one: a different one under the same key is refused. */
  streamDigest?: string
}

interface Ports {
  keys: Pick<IdempotencyKeys, 'claim' | 'keep' | 'forget' | 'release'>
  newId: () => string
}

/** The response, and whether it is a stored one. */
export interface IdempotentResult {
  answer: KeptAnswer
  isRepeated: boolean
}

const busyRetryMs = 1000
/** Calls that could not be released; the oldest is dropped first, and its claim expires after a minute. */
const heldMaxCount = 10_000
const reusedItem = {
  loc: ['header', 'idempotency-key'],
  msg: errors.idempotency_key_reused.sentence,
  type: 'idempotency_key_reused',
}

/** Error for a different request under a used key. */
export const keyReused = () => new AppError('idempotency_key_reused', { items: [reusedItem] })

/** Id for the resource that a call creates, and whether an earlier attempt may have completed. */
export interface IdempotentRun {
  resourceId: string
  isRetry: boolean
}

/**
 * Runs a call once for each Idempotency-Key and returns the stored response to repetitions. `work` creates its resource under
 * the given id, so that a retry after an unknown result finds the resource.
 * Throws `idempotency_key_reused`, `idempotency_in_progress`, and what `work` throws.
 */
export function createRunIdempotently({ keys, newId }: Ports) {
  /** Calls that ended here while the database was away, which takes them for under way; each with the ids it may know. */
  const held = new LRUCache<string, string[]>({ max: heldMaxCount })
  const nameOf = ({ scope, caller, key }: RepeatableCall) => `${scope.workspaceId} ${caller} ${key}`

  const hold = (call: RepeatableCall, id: string) => {
    const name = nameOf(call)
    held.set(name, [...(held.get(name) ?? []), id])
  }

  const claim = async (call: RepeatableCall) => {
    for (const id of held.get(nameOf(call)) ?? []) await keys.release(call.scope, call, id)
    held.delete(nameOf(call))
    const id = newId()
    try {
      return await keys.claim(call.scope, call, id)
    } catch (error) {
      hold(call, id) // The claim may have been committed without a response.
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
    // The work is done, so a failure to store the response is no error: a retry runs under the same id.
    await keys.keep(call.scope, call, resourceId, answer).catch(() => hold(call, resourceId))
    return answer
  }

  /** A refusal had no effect, a reply of the mail server completes the call; any other error leaves the result unknown. */
  async function letGo(call: RepeatableCall, id: string, error: unknown) {
    const letting = () => {
      if (!(error instanceof AppError)) return keys.release(call.scope, call, id)
      const { status } = errors[error.code]
      if (error.code === 'send_failed')
        return keys.keep(call.scope, call, id, { status, body: { detail: error.message } })
      return status < 500 ? keys.forget(call.scope, call, id) : keys.release(call.scope, call, id)
    }
    await letting().catch(() => hold(call, id)) // The caller gets the original error.
  }
}
