import type { ConfigRow } from '../../domain/mailboxes/config.ts'

interface Ports {
  configs: {
    list: (
      workspaceId: string,
      page: { limit: number; offset: number },
    ) => Promise<{ rows: ConfigRow[]; total: number }>
  }
}

/** The workspace's mailboxes, oldest first. */
export function createListConfigs({ configs }: Ports) {
  return (workspaceId: string, page: { limit: number; offset: number }) => configs.list(workspaceId, page)
}
