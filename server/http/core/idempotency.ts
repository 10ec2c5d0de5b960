import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../contract/core/errors.ts'
import { idempotencyKeyMaxChars } from '../../../contract/core/limits.ts'
import type { Operation } from '../../../contract/core/operation.ts'
import type { RepeatableCall } from '../../usecases/core/run-idempotently.ts'
import { authorize, workspaceOf } from '../../domain/auth/authorize.ts'
import type { Caller } from '../../domain/auth/caller.ts'

const header = 'idempotency-key'

/** Workspace of the keys of calls without a workspace. */
const noWorkspaceId = '00000000-0000-0000-0000-000000000000'

/** A call that came with an Idempotency-Key, or null. Throws `validation` where the key cannot be one. */
export function repeatableCall(operation: Operation, request: FastifyRequest): RepeatableCall | null {
  const key = request.headers[header]
  const { caller } = request
  const owner = caller && ownerOf(caller)
  if (key === undefined || caller === null || owner === null || operation.isRepeatable !== true) return null
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key) || key.length > idempotencyKeyMaxChars) {
    const msg = `Idempotency-Key is 1 to ${idempotencyKeyMaxChars} printable ASCII characters without spaces.`
    throw new AppError('validation', { items: [{ loc: ['header', header], msg, type: 'idempotency_key' }] })
  }
  const { params, query, body } = request
  return {
    scope: authorize({ kind: 'system', task: 'idempotency' }, 'workspace:read', workspaceOf(caller) ?? noWorkspaceId),
    caller: `${operation.name} ${owner}`,
    key,
    // An alias is another in the next session; that of the same page, which may repeat what it does not know the end of.
    // A stream is compared when it was read (route.ts).
    request: JSON.stringify([
      caller.kind === 'embed' ? null : params,
      query,
      operation.bodyMedia ? request.headers['content-type'] : body,
    ]),
  }
}

/** The owner of a key; null for callers that have none. */
function ownerOf(caller: Caller): string | null {
  switch (caller.kind) {
    case 'hosted':
    case 'hosted_user':
      return `${caller.key.id} ${caller.user?.id ?? ''}`
    case 'embed': {
      const { embedId, origin, userRef, userId, sessionId } = caller.grant
      return `${embedId} ${origin} ${userRef ?? userId ?? sessionId}`
    }
    case 'secret_key':
      return caller.mailbox.mailboxId
    case 'account':
    case 'member':
      return caller.workspace.id
    case 'public':
    case 'embed_visitor':
    case 'system':
    case 'operator':
      return null
  }
}
