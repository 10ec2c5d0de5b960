import type { Provider } from '../../contract/limits.ts'
import type { ConfigUse } from '../domain/config.ts'

interface Ports {
  configUsage: {
    list: (
      workspaceId: string,
      page: { limit: number; offset: number },
    ) => Promise<{ rows: ConfigUse[]; total: number }>
  }
  /** What a mailbox without limits of its own keeps under. */
  limitsOf: (mailbox: { provider: Provider; emailAddress: string }) => {
    perMinuteCount: number | null
    perDayCount: number | null
  }
}

/** What the workspace's mailboxes have used of their quotas; limits that they have not of their own are the provider's. */
export function createListConfigUsage({ configUsage, limitsOf }: Ports) {
  return async (workspaceId: string, page: { limit: number; offset: number }) => {
    const { rows, total } = await configUsage.list(workspaceId, page)
    return {
      total,
      rows: rows.map((row) => {
        const { perMinuteCount, perDayCount } = limitsOf(row)
        return {
          ...row,
          limitPerMinute: row.limitPerMinute ?? perMinuteCount,
          limitPerDay: row.limitPerDay ?? perDayCount,
        }
      }),
    }
  }
}
