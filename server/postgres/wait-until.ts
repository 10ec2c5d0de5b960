import { setTimeout as wait } from 'node:timers/promises'

/** Polls a condition with growing intervals (2 to 100 ms); false after the timeout. */
export async function waitUntil(holds: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs
  for (let pauseMs = 2; ; pauseMs = Math.min(pauseMs * 1.1, 100)) {
    if (await holds()) return true
    if (performance.now() > end) return false
    await wait(pauseMs)
  }
}
