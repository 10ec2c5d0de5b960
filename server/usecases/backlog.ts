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
/** A count this old still serves while the next is under way, so that nobody waits for it. */
const servesMs = 10_000
const workspacesMaxCount = 10_000

interface Counted {
  count: Promise<number>
  addedCount: number
  atMs: number
  isRenewing: boolean
}

export function createBacklog({ deliveries, tickMs }: Ports): Backlog {
  const counts = new Map<string, Counted>()

  const countAnew = (workspaceId: string): Counted => {
    const count = deliveries.countWaiting(workspaceId, queueMaxCount + 1)
    return { count, addedCount: 0, atMs: tickMs(), isRenewing: false }
  }

  const keep = (workspaceId: string, counted: Counted) => {
    counts.delete(workspaceId)
    counts.set(workspaceId, counted)
    const [oldest] = counts.keys()
    if (counts.size > workspacesMaxCount && oldest !== undefined) counts.delete(oldest)
  }

  /** Keeps the next count once it is there; until then the one before goes on. */
  const renew = async (workspaceId: string, known: Counted) => {
    known.isRenewing = true
    const next = countAnew(workspaceId)
    const addedBefore = known.addedCount
    try {
      await next.count
      // What was added meanwhile may be in it or not: rather too many than too few.
      next.addedCount = known.addedCount - addedBefore
      keep(workspaceId, next)
    } catch {
      known.isRenewing = false // Whoever comes when it serves no longer hears of it.
    }
  }

  return {
    async count(workspaceId) {
      let known = counts.get(workspaceId)
      const ageMs = known ? tickMs() - known.atMs : Infinity
      if (!known || ageMs > servesMs) {
        known = countAnew(workspaceId)
        keep(workspaceId, known)
        known.count.catch(() => counts.delete(workspaceId)) // Who waits for it hears of it.
      } else if (ageMs > holdsMs && !known.isRenewing) void renew(workspaceId, known)
      return (await known.count) + known.addedCount
    },
    add(workspaceId, count) {
      const known = counts.get(workspaceId)
      if (known) known.addedCount += count
    },
  }
}
