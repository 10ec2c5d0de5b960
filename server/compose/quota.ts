import { limitsOf } from '../mailer/smtp/providers.ts'
import { createConfigUsage } from '../store/quota/config-usage.ts'
import { createMailboxSlots } from '../store/quota/mailbox-slots.ts'
import { createMailboxUsage } from '../store/quota/mailbox-usage.ts'
import { createMailboxUse } from '../store/quota/mailbox-use.ts'
import { createCompletionEstimator } from '../usecases/quota/estimate-completion.ts'
import { hourMs, minuteMs, type Noun, type Parts } from './parts.ts'

/** How much of its provider's limits each mailbox has used. */
export function quotaStores({ database }: Parts) {
  return {
    configUsage: createConfigUsage(database.pool),
    slots: createMailboxSlots(database.pool),
    usage: createMailboxUsage(database.pool),
  }
}

/** Estimates when the last of some mails leaves. */
export function estimator({ database, now, tickMs }: Parts) {
  return createCompletionEstimator({ mailboxUse: createMailboxUse(database.pool), limitsOf, now, tickMs })
}

export const quota: Noun = {
  maintenance({ clock, resolve }) {
    const { slots, usage } = resolve(quotaStores)
    return [
      // What a jump of the clock has made old is not over.
      { intervalMs: minuteMs, run: async () => ((await clock.look()) ? usage.prune() : undefined) },
      { intervalMs: hourMs, run: () => slots.prune() },
    ]
  },
}
