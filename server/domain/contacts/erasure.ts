/** Addresses of one workspace that were erased and are still in its mails. */
export interface PendingErasures {
  workspaceId: string
  /** Salted hashes. */
  hashes: Buffer[]
  /** Plain hashes of earlier addresses. */
  oldHashes: Buffer[]
}
