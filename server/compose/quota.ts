import { limitsOf } from '../mailer/smtp/providers.ts'
import { createMailboxQuota } from '../store/quota/mailbox-quota.ts'
import { createMailboxSlots } from '../store/quota/mailbox-slots.ts'
import { createCompletionEstimator } from '../usecases/quota/estimate-completion.ts'
import { hourMs, minuteMs, type Noun, type Parts } from './parts.ts'

/** How much of its provider's limits each mailbox has used. */
export function quotaStores({ database }: Parts) {
  return {
    mailboxQuota: createMailboxQuota(database.pool),
    slots: createMailboxSlots(database.pool),
  }
}

/** Estimates when the last of some mails leaves. */
export function estimator({ database, now, tickMs }: Parts) {
  return createCompletionEstimator({ mailboxQuota: createMailboxQuota(database.pool), limitsOf, now, tickMs })
}

export const quota: Noun = {
  maintenance({ clock, resolve }) {
    const { slots, mailboxQuota } = resolve(quotaStores)
    return [
      // What a jump of the clock has made old is not over.
      { intervalMs: minuteMs, run: async () => ((await clock.look()) ? mailboxQuota.prune() : undefined) },
      { intervalMs: hourMs, run: () => slots.prune() },
    ]
  },
}
