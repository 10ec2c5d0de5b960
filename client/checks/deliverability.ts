import type {
  CheckPart,
  DeliverabilityCheck,
  startDeliverabilityCheck as StartCheck,
  startSelfTest as SelfTest,
} from '../../contract/checks/deliverability.ts'
import * as routes from '../../contract/checks/deliverability.routes.ts'
import type { BodyOf } from '../../contract/core/operation.ts'
import { call, type CallOptions, type Session } from '../core/http.ts'

/** Checks a message before it is sent. */
export function startDeliverabilityCheck(
  session: Session,
  body: BodyOf<typeof StartCheck>,
  options?: CallOptions,
): Promise<DeliverabilityCheck> {
  return call<typeof StartCheck>(session, { route: routes.startDeliverabilityCheck, body }, options)
}

/** Sends the message from the mailbox to itself and reads it back: the part `self_test` of a check. Takes up to 30 s. */
export function startSelfTest(
  session: Session,
  body: BodyOf<typeof SelfTest>,
  options?: CallOptions,
): Promise<CheckPart> {
  return call<typeof SelfTest>(session, { route: routes.startSelfTest, body }, options)
}
