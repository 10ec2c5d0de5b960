import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { idempotencyKeyMaxChars } from '../../../contract/core/limits.ts'
import type { Operation } from '../../../contract/core/operation.ts'
import type { RepeatableCall } from '../../usecases/core/do-once.ts'
import type { AnyCaller } from '../auth/any-caller.ts'

const header = 'idempotency-key'

/** A call that came with an Idempotency-Key, or null. Throws `validation` where the key cannot be one. */
export function repeatableCall(operation: Operation, request: FastifyRequest): RepeatableCall | null {
  const key = request.headers[header]
  const { caller } = request
  if (key === undefined || caller === null || operation.isRepeatable !== true) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key) || key.length > idempotencyKeyMaxChars) {
    const msg = `Idempotency-Key is 1 to ${idempotencyKeyMaxChars} printable ASCII characters without blanks.`
    throw new AppError('validation', { items: [{ loc: ['header', header], msg, type: 'idempotency_key' }] })
  }
  const { params, query, body } = request
  return {
    scope: `${operation.name} ${scopeOf(caller)}`,
    key,
    // An alias is another in the next session; that of the same page, which may repeat what it does not know the end of.
    // A stream is compared when it was read (route.ts).
    request: JSON.stringify([
      'grant' in caller ? null : params,
      query,
      operation.bodyMedia ? request.headers['content-type'] : body,
    ]),
  }
}

function scopeOf(caller: NonNullable<AnyCaller>): string {
  if ('key' in caller) return `${caller.key.id} ${caller.user?.id ?? ''}`
  if ('grant' in caller) {
    const { embedId, origin, userRef, userId, sessionId } = caller.grant
    return `${embedId} ${origin} ${userRef ?? userId ?? sessionId}`
  }
  return 'mailboxId' in caller ? caller.mailboxId : caller.workspace.id
}
