/** Recipients of whom a person did it. */
export interface Figures {
  opened: number
  clicked: number
}

const firstWaitMs = 2000
const longestWaitMs = 15_000

/**
 * Asks for the opens and clicks of a message, rarer while they do not change, until `signal` aborts or there are none for this
 * session. It imports nothing: `ask` is the call.
 */
export async function followFigures(
  state: { figures: Figures | null },
  ask: () => Promise<Partial<Figures>>,
  signal: AbortSignal,
): Promise<void> {
  for (let waitMs = 0; ; waitMs = Math.min(Math.max(waitMs * 1.2, firstWaitMs), longestWaitMs)) {
    await pause(waitMs, signal)
    if (signal.aborted) return
    if (document.hidden) continue
    try {
      const { opened, clicked } = await ask()
      // A renewed session may have fewer scopes.
      if (opened === undefined || clicked === undefined) return
      if (state.figures?.opened === opened && state.figures.clicked === clicked) continue
      state.figures = { opened, clicked }
      waitMs = firstWaitMs
    } catch (error) {
      // The message was deleted, or the session is another user’s.
      const { status } = error as { status?: unknown }
      if (status === 403 || status === 404) return
    }
  }
}

/** Resolves after `ms`, or when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
