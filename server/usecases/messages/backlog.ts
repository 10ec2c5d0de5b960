import { queueMaxCount } from '../../../contract/core/limits.ts'
import { createStaleWhileRevalidate } from '../core/stale-while-revalidate.ts'

interface Ports {
  deliveries: { countWaiting: (workspaceId: string, maxCount: number) => Promise<number> }
  tickMs: () => number
}

/** How many mails wait, by workspace. */
export interface Backlog {
  /** About: counted every few seconds, for that costs more than accepting one mail; what this process accepts meanwhile is added. */
  count: (workspaceId: string) => Promise<number>
  add: (workspaceId: string, count: number) => void
}

export function createBacklog({ deliveries, tickMs }: Ports): Backlog {
  const counts = createStaleWhileRevalidate(
    (workspaceId) => deliveries.countWaiting(workspaceId, queueMaxCount + 1),
    tickMs,
  )
  return {
    async count(workspaceId) {
      const reading = counts.get(workspaceId)
      return (await reading.value) + reading.addedCount
    },
    add(workspaceId, count) {
      const reading = counts.peek(workspaceId)
      if (reading) reading.addedCount += count
    },
  }
}
