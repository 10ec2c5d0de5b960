/** A comparison that cannot be made; the message is one sentence with its remedy. */
export class CompareError extends Error {
  override name = 'CompareError'
}
