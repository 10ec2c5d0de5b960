import type * as api from '../../contract/inbox/reading.ts'
import type { Reading } from '../../contract/inbox/reading.ts'
import * as routes from '../../contract/inbox/reading.routes.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** Whether and how a mailbox is read. */
export function getReading(session: Session, id: string, options?: CallOptions): Promise<Reading> {
  return call<typeof api.getReading>(session, { route: routes.getReading, params: { id } }, options)
}

/** Begins the provider's sign-in that adds the permission to read; the browser opens the address. */
export function startReadingConsent(session: Session, id: string, options?: CallOptions): Promise<{ url: string }> {
  return call<typeof api.startReadingConsent>(session, { route: routes.startReadingConsent, params: { id } }, options)
}
