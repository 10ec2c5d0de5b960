import type { PageQuery } from '../../domain/core/page.ts'
import type { Provider } from '../../../contract/mail/config.limits.ts'
import type { KnownLimits } from '../../domain/mailboxes/mailbox.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { MailboxQuotaStore } from '../../store/quota/mailbox-quota.ts'

interface Ports {
  mailboxQuota: Pick<MailboxQuotaStore, 'list'>
  /** What a mailbox without limits of its own keeps under. */
  limitsOf: (mailbox: { provider: Provider; emailAddress: string }) => KnownLimits
}

/** Quota use of the workspace's mailboxes, with the known limits of their providers. */
export function createListMailboxUsage({ mailboxQuota, limitsOf }: Ports) {
  return async (scope: Scope, page: PageQuery) => {
    const { rows, ...rest } = await mailboxQuota.list(scope, page)
    return { ...rest, rows: rows.map((row) => ({ ...row, known: limitsOf(row) })) }
  }
}
