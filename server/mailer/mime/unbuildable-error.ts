/** A message that cannot be sent to anyone; the message is a sentence for its sender. */
export class UnbuildableError extends Error {
  override readonly name = 'UnbuildableError'
}
