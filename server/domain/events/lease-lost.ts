/** Another process has taken over the workspace: nothing of the batch was written. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}
