import type * as api from '../../contract/account/account.ts'
import type { AnswerOf, BodyOf } from '../../contract/core/operation.ts'
import { callRaw, errorOf, read, type Session } from '../core/http.ts'
import type { Challenge } from './solve-proof.ts'
import * as routes from '../../contract/account/account.routes.ts'

/** Two browsers of one network may spend each other's place; after this the error is shown. */
const proofsMaxCount = 3

/**
 * Signs in; if the server requires a proof of work (429 with `challenge`), computes it and retries. Calls `onProving` before
 * the computation. Without the browser's crypto, which plain http lacks, the 429 is thrown. Throws ApiError.
 */
export async function signInWithProof(
  session: Session,
  person: Omit<BodyOf<typeof api.signIn>, 'proof_of_work'>,
  onProving: () => void,
): Promise<AnswerOf<typeof api.signIn>> {
  const quiet = { ...session, rejected: () => undefined }
  let proof: string | null = null
  for (let proofCount = 0; ; proofCount += 1) {
    const body = { ...person, email: person.email.toLowerCase(), ...(proof !== null && { proof_of_work: proof }) }
    const answer = await callRaw<typeof api.signIn>(quiet, { route: routes.signIn, body })
    if (answer.ok) return (await read(answer, routes.signIn)) as AnswerOf<typeof api.signIn>
    const challenge = answer.status === 429 && proofCount < proofsMaxCount ? await challengeOf(answer.clone()) : null
    proof = await prove(challenge, onProving)
    if (proof === null) throw await errorOf(answer, routes.signIn)
  }
}

async function prove(challenge: Challenge | null, onProving: () => void): Promise<string | null> {
  // Absent in a page of plain http, whatever the types say.
  const crypto = globalThis.crypto as Partial<Crypto> | undefined
  if (challenge === null || crypto?.subtle === undefined) return null
  onProving()
  const { solveProof } = await import('./solve-proof.ts')
  return solveProof(challenge)
}

async function challengeOf(answer: Response): Promise<Challenge | null> {
  const body = (await answer.json().catch(() => null)) as { challenge?: Challenge } | null // Not ours, where it is no JSON.
  return body?.challenge ?? null
}
