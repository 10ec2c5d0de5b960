/** Tells under `npm run soak` what a test has seen, for whoever records figures. */
export function tellSoak(figures: string): void {
  if (process.env['SENDWRIGHT_SOAK'] === '1') process.stderr.write(`soak: ${figures}\n`)
}

/** A size of a test: the second one under `npm run soak`, which takes its time. */
export function soakSize(usual: number, full: number): number {
  return process.env['SENDWRIGHT_SOAK'] === '1' ? full : usual
}
