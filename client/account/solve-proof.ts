import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'

export type { Challenge } from 'altcha-lib/types'

/** A second is usual; a slow phone needs more. */
const timeoutMs = 60_000

/**
 * Solves the task that a sign-in was answered with, off the main thread: the browser's own crypto does the work. Gives
 * the text for `proof_of_work`, null where it took too long.
 */
export async function solveProof(challenge: Challenge): Promise<string | null> {
  const solution = await solveChallenge({ challenge, deriveKey, timeout: timeoutMs })
  return solution === null ? null : btoa(JSON.stringify({ challenge, solution }))
}
