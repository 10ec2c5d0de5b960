import type { Provider } from '../../../contract/mail/config.limits.ts'
import { isEnded } from '../../domain/campaigns/campaign-state.ts'
import type { CampaignRow } from '../../domain/campaigns/campaign.ts'
import { sendTimeMs, sharedTimeMs, type MailboxBudget, type MailboxUse } from '../../domain/quota/forecast.ts'
import { createStaleWhileRevalidate } from '../core/stale-while-revalidate.ts'
import type { MailboxQuotaStore } from '../../store/quota/mailbox-quota.ts'
import { authorize } from '../../domain/auth/authorize.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxKey } from '../../domain/messages/delivery.ts'

interface Ports {
  mailboxQuota: Pick<MailboxQuotaStore, 'read'>
  /** What a mailbox without limits of its own keeps under. */
  limitsOf: (mailbox: { provider: Provider | 'system'; emailAddress: string }) => {
    perMinuteCount: number | null
    perDayCount: number | null
  }
  now: () => Date
  tickMs: () => number
}

export type CompletionEstimator = ReturnType<typeof createCompletionEstimator>

/** Estimates when mail is sent, from the mailboxes' quotas, their use and their queues. */
export function createCompletionEstimator({ mailboxQuota, limitsOf, now, tickMs }: Ports) {
  const readings = createStaleWhileRevalidate(async (key) => {
    const [workspaceId = '', mailboxId = ''] = key.split(' ')
    const scope = authorize({ kind: 'system', task: 'estimate' }, 'messages:read', workspaceId)
    return (await mailboxQuota.read(scope, [mailboxId], []))[0]
  }, tickMs)

  const toBudget = (use: MailboxUse, aheadCount: number): MailboxBudget => {
    const limits = limitsOf(use)
    return {
      mailboxId: use.mailboxId,
      perMinuteCount: use.perMinuteCount ?? limits.perMinuteCount,
      perDayCount: use.perDayCount ?? limits.perDayCount,
      used: use.used,
      aheadCount,
    }
  }

  return {
    /** Budgets of a campaign's mailboxes for dealing out more recipients: all that waits is ahead of them. */
    async budgets(scope: Scope, { id, mailboxIds }: Pick<CampaignRow, 'id' | 'mailboxIds'>): Promise<MailboxBudget[]> {
      const uses = await mailboxQuota.read(scope, mailboxIds, [id])
      return uses.map((use) => toBudget(use, sum(use.waiting)))
    },

    /** When the last of so many mails leaves that mailboxes would share from now or a later time on; null for none. */
    async launch(
      scope: Scope,
      mailboxIds: readonly string[],
      count: number,
      startsAt: Date | null,
    ): Promise<Date | null> {
      const uses = await mailboxQuota.read(scope, mailboxIds, [])
      if (count === 0 || uses.length === 0) return null
      const budgets = uses.map((use) => toBudget(use, sum(use.waiting.filter(({ isLeaving }) => isLeaving))))
      return new Date(sharedTimeMs(budgets, count, Math.max(now().getTime(), startsAt?.getTime() ?? 0)))
    },

    /**
     * When the last mail of each campaign leaves, if it starts now or when it is scheduled for: after single sends and
     * beside the other campaigns, which are counted as ahead of it. Those that have ended or wait for nothing are left out.
     */
    async campaigns(scope: Scope, rows: readonly CampaignRow[]): Promise<Map<string, Date>> {
      const open = rows.filter(({ status, counts }) => !isEnded(status) && counts.queued + counts.deferred > 0)
      const mailboxIds = [...new Set(open.flatMap((row) => row.mailboxIds))]
      const uses = await mailboxQuota.read(
        scope,
        mailboxIds,
        open.map(({ id }) => id),
      )
      const startsAtMs = ({ status, scheduledAt }: CampaignRow) =>
        status === 'draft' || status === 'scheduled'
          ? Math.max(now().getTime(), scheduledAt?.getTime() ?? 0)
          : now().getTime()
      return new Map(
        open.flatMap((row) => {
          const ends = uses.flatMap((use) => {
            const own = sum(use.waiting.filter(({ campaignId }) => campaignId === row.id))
            if (own === 0) return []
            const ahead = sum(use.waiting.filter(({ campaignId, isLeaving }) => isLeaving && campaignId !== row.id))
            return [sendTimeMs(toBudget(use, ahead), ahead + own, startsAtMs(row))]
          })
          return ends.length === 0 ? [] : [[row.id, new Date(Math.max(...ends))] as const]
        }),
      )
    },

    /**
     * When the last of so many mails leaves that a send call has just put into a mailbox's queue; null for none. Calls within
     * a few seconds share a reading, so that accepting costs no query of its own; rather too late than too early.
     */
    async singleSend({ workspaceId, mailboxId }: MailboxKey, count: number): Promise<Date | null> {
      if (count === 0) return null
      const key = `${workspaceId} ${mailboxId}`
      const known = readings.peek(key)
      const reading = readings.get(key)
      // A read that starts now includes them.
      if (reading === known) reading.addedCount += count
      const { addedCount } = reading
      const use = await reading.value
      if (!use) return null
      const ahead = sum(use.waiting.filter(({ campaignId }) => campaignId === null))
      return new Date(sendTimeMs(toBudget(use, ahead), Math.max(1, ahead + addedCount), now().getTime()))
    },
  }
}

function sum(list: readonly { count: number }[]): number {
  return list.reduce((total, { count }) => total + count, 0)
}
