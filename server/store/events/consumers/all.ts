import { activity, touches } from './activity.ts'
import type { Consumer } from './consumer.ts'
import { addressHealth, addressRecovery, mailboxPauses } from './refusals.ts'
import { suppressions } from './suppressions.ts'

/** In the order in which they run: the same for all batches, so that batches lock rows in the same order. */
export const consumers: readonly Consumer[] = [
  activity,
  suppressions,
  addressHealth,
  addressRecovery,
  mailboxPauses,
  touches,
]
