import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errors, type ErrorCode } from '../../../contract/core/errors.ts'
import { databaseRetryMs, isDatabaseUnavailable } from '../../domain/core/database-unavailable.ts'
import { closeToPage } from '../embeds/embed-cors.ts'
import { ShapeError } from '../shapes/validation.ts'

/** Fastify's own refusals, by its codes. */
const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_body',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** The one place where errors become answers: `{detail}`, a sentence or the list of a 422 (spec §8). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error)
  const { status } = errors[known.code]
  closeToPage(known, reply)
  // The connection pool logs an unavailable database once.
  if (status >= 500 && known.code !== 'database_away') request.log.error({ err: error }, known.code)
  if (known.retryAfterMs !== null) void reply.header('retry-after', Math.ceil(known.retryAfterMs / 1000))
  void reply.status(status).send({ detail: status === 422 ? known.items : known.message, ...known.extra })
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof ShapeError) return new AppError('validation', { items: error.items })
  const code = fastifyCodes[(error as Partial<FastifyError>).code ?? '']
  if (code !== undefined) return new AppError(code)
  if (isDatabaseUnavailable(error))
    return new AppError('database_away', { cause: error, retryAfterMs: databaseRetryMs })
  return new AppError('internal', { cause: error })
}
