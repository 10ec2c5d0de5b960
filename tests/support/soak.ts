/** Prints the measurements of a test under `npm run soak`. */
export function printInSoak(figures: string): void {
  if (process.env['SENDWRIGHT_SOAK'] === '1') process.stderr.write(`soak: ${figures}\n`)
}

/** A size of a test: the second one under `npm run soak`, which takes longer. */
export function soakSize(usual: number, full: number): number {
  return process.env['SENDWRIGHT_SOAK'] === '1' ? full : usual
}
