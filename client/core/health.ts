import type { Readiness } from '../../contract/core/health.ts'
import type * as api from '../../contract/core/health.ts'
import { call, type CallOptions, type Session } from './http.ts'
import * as routes from '../../contract/core/health.routes.ts'

/** Whether the process lives. */
export function getHealth(session: Session, options?: CallOptions) {
  return call<typeof api.getHealth>(session, { route: routes.getHealth }, options)
}

/** Whether database and sender are ready; throws ApiError 503 until then. */
export function getReadiness(session: Session, options?: CallOptions): Promise<Readiness> {
  return call<typeof api.getReadiness>(session, { route: routes.getReadiness }, options)
}

/** The description of every call, as OpenAPI 3.1. */
export function getOpenApi(session: Session, options?: CallOptions) {
  return call<typeof api.getOpenApi>(session, { route: routes.getOpenApi }, options)
}
