/** A size of a test: the second one under `npm run soak`, which takes its time. */
export function soakSize(usual: number, full: number): number {
  return process.env['SENDWRIGHT_SOAK'] === '1' ? full : usual
}
