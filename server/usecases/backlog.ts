import { queueMaxCount } from '../../contract/limits.ts'

interface Ports {
  deliveries: { countWaiting: (workspaceId: string, maxCount: number) => Promise<number> }
  tickMs: () => number
}

/** How many mails wait, by workspace. */
export interface Backlog {
  /** About: counted every few seconds, and what this process accepts meanwhile is added. */
  count: (workspaceId: string) => Promise<number>
  add: (workspaceId: string, count: number) => void
}

/** So long a count holds: counting a long queue costs more than accepting one mail. */
const holdsMs = 2000
const workspacesMaxCount = 10_000

export function createBacklog({ deliveries, tickMs }: Ports): Backlog {
  const counts = new Map<string, { count: Promise<number>; addedCount: number; atMs: number }>()
  return {
    async count(workspaceId) {
      const nowMs = tickMs()
      let known = counts.get(workspaceId)
      if (!known || nowMs - known.atMs > holdsMs) {
        known = { count: deliveries.countWaiting(workspaceId, queueMaxCount + 1), addedCount: 0, atMs: nowMs }
        counts.delete(workspaceId)
        counts.set(workspaceId, known)
        known.count.catch(() => counts.delete(workspaceId)) // Who waits for it hears of it.
        const [oldest] = counts.keys()
        if (counts.size > workspacesMaxCount && oldest !== undefined) counts.delete(oldest)
      }
      return (await known.count) + known.addedCount
    },
    add(workspaceId, count) {
      const known = counts.get(workspaceId)
      if (known) known.addedCount += count
    },
  }
}
