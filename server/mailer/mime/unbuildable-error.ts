/** Why a message goes to nobody, in a sentence for its sender. */
export class UnbuildableError extends Error {
  override readonly name = 'UnbuildableError'
}
