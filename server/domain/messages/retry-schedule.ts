const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Rests after the first, second … temporary refusal; the last one repeats. */
const restsMs = [1 * minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs, 1 * hourMs, 2 * hourMs, 4 * hourMs]
const giveUpMs = 72 * hourMs
const spread = 0.2

/**
 * How long a delivery rests after its nth temporary refusal, in ms; null once the next attempt would come after 72 hours
 * of resting, which is when it is given up. Time that a mailbox was paused does not count.
 * `random` is from 0 up to 1 and moves the rest by up to 20 % either way, so that what failed together does not return
 * together.
 */
export function retryDelayMs(attempts: number, random: number): number | null {
  if (restedMs(attempts) > giveUpMs) return null
  return Math.round(restAt(attempts) * (1 - spread + 2 * spread * random))
}

function restAt(attempt: number): number {
  return restsMs[Math.min(attempt, restsMs.length) - 1] ?? 0
}

function restedMs(attempts: number): number {
  let total = 0
  for (let attempt = 1; attempt <= attempts; attempt++) total += restAt(attempt)
  return total
}
