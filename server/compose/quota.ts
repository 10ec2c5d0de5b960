import { limitsOf } from '../mailer/smtp/providers.ts'
import { createMailboxQuota } from '../store/quota/mailbox-quota.ts'
import { createMailboxSlots } from '../store/quota/mailbox-slots.ts'
import { createCompletionEstimator } from '../usecases/quota/estimate-completion.ts'
import { hourMs, minuteMs, type Noun, type Parts } from './core/parts.ts'

/** The usage of each mailbox under its provider's limits. */
export function quotaStores({ database }: Parts) {
  return { mailboxQuota: createMailboxQuota(database.pool), slots: createMailboxSlots(database.pool) }
}

/** Estimates when the last of some mails will be sent. */
export function estimator({ database, now, tickMs }: Parts) {
  return createCompletionEstimator({ mailboxQuota: createMailboxQuota(database.pool), limitsOf, now, tickMs })
}

export const quota: Noun = {
  maintenance({ clock, resolve }, system) {
    const { slots, mailboxQuota } = resolve(quotaStores)
    return [
      // Usage that a clock jump has made old is still counted.
      { intervalMs: minuteMs, run: async () => ((await clock.correct()) ? mailboxQuota.prune(system) : undefined) },
      { intervalMs: hourMs, run: () => slots.prune(system) },
    ]
  },
}
