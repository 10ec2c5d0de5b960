import type { Provider } from '../../../contract/core/limits.ts'
import type { KnownLimits } from '../../domain/mailboxes/mailbox.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ConfigUsageStore } from '../../store/quota/config-usage.ts'

interface Ports {
  configUsage: Pick<ConfigUsageStore, 'list'>
  /** What a mailbox without limits of its own keeps under. */
  limitsOf: (mailbox: { provider: Provider; emailAddress: string }) => KnownLimits
}

/** Quota use of the workspace's mailboxes, with the known limits of their providers. */
export function createListMailboxUsage({ configUsage, limitsOf }: Ports) {
  return async (scope: Scope, page: { limit: number; offset: number }) => {
    const { rows, total } = await configUsage.list(scope, page)
    return { total, rows: rows.map((row) => ({ ...row, known: limitsOf(row) })) }
  }
}
