import { setTimeout as sleep } from 'node:timers/promises'

/** Rest for each unit of work while mails are being sent: work takes a tenth of a core then. */
const restFactor = 9
const sliceMs = 200

interface Ports {
  /** Whether mails are being sent in the deployment. */
  isSending: () => Promise<boolean>
}

export type EvaluationLoad = ReturnType<typeof createEvaluationLoad>

/** Evaluations at the same time, of all workspaces. */
const runningMaxCount = 4

/** Keeps the evaluation of rules from slowing down everything else. */
export function createEvaluationLoad({ isSending }: Ports) {
  /** End of the last evaluation of each workspace, with the rest behind it. */
  const ends = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let runningCount = 0

  /** Rests in proportion to work that began at `startedAt` (ms of `performance.now`), if mails are being sent. */
  async function rest(startedAt: number, isClosed: () => boolean = () => false): Promise<void> {
    const workMs = performance.now() - startedAt
    if (!(await isSending())) return
    const until = performance.now() + workMs * restFactor
    for (let left = until - performance.now(); left > 0 && !isClosed(); left = until - performance.now())
      await sleep(Math.min(left, sliceMs))
  }

  async function begin(): Promise<void> {
    if (runningCount >= runningMaxCount) await new Promise<void>((resolve) => waiting.push(resolve))
    else runningCount += 1
  }

  function end(): void {
    const next = waiting.shift()
    if (next) next()
    else runningCount -= 1
  }

  return {
    rest,
    /** Runs one evaluation of a workspace after the others of it. */
    async run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
      const before = ends.get(workspaceId)
      const running = (async () => {
        await before
        await begin()
        const startedAt = performance.now()
        try {
          return { value: await work(), startedAt }
        } finally {
          end()
        }
      })()
      const over = running.then(({ startedAt }) => rest(startedAt)).catch(() => undefined)
      ends.set(workspaceId, over)
      void over.then(() => ends.get(workspaceId) === over && ends.delete(workspaceId))
      return (await running).value
    },
  }
}
