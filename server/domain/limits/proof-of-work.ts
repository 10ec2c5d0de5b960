/** A task that takes a browser about a second, as altcha's v2 writes it: signed, and answered once. */
export interface ProofChallenge {
  parameters: Record<string, unknown>
  signature?: string
}

/** Gives tasks and checks what comes back. */
export interface ProofOfWork {
  issue: () => Promise<ProofChallenge>
  /** The id of a challenge of ours that was solved in time; null for anything else. It may have been used before. */
  check: (solution: string) => Promise<string | null>
}
