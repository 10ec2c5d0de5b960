interface Ports<Job> {
  /** Takes the next job that no living process holds; null where none is due. */
  claim: () => Promise<Job | null>
  run: (job: Job, isClosed: () => boolean) => Promise<void>
  onError: (error: unknown) => void
  /** How often it looks for due jobs. */
  pollMs?: number
}

/** Runs jobs of the database one at a time, and takes over those of a process that ended. */
export function createBackgroundWorker<Job>({ claim, run, onError, pollMs = 5000 }: Ports<Job>) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let isClosed = false
  let isWoken = false

  async function runAll(): Promise<void> {
    for (;;) {
      const job = isClosed ? null : await claim()
      if (job === null) return
      await run(job, () => isClosed)
    }
  }

  const wake = () => {
    isWoken = true
    running ??= (async () => {
      while (isWoken && !isClosed) {
        isWoken = false
        await runAll().catch(onError)
      }
    })().finally(() => {
      running = null
    })
  }

  return {
    start() {
      timer = setInterval(wake, pollMs)
      timer.unref()
      wake()
    },
    /** Looks for due jobs now. */
    wake,
    /** Runs due jobs until there is none. Throws what `claim` throws. */
    runDue: runAll,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}
