import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Payload } from 'altcha-lib/types'
import { proofOfWorkLifeMinutes } from '../../contract/account/account.limits.ts'
import type { ProofOfWork } from '../domain/limits/proof-of-work.ts'

/** One derivation; a solver needs 256 on average, and WebCrypto computes them as fast as native code. */
const iterationsCount = 5000
const keyPrefix = '00'

/** Proof of work with altcha v2: PBKDF2; the server derives once to check what took a solver hundreds of derivations. */
export function createProofOfWork({ secret, now }: { secret: Buffer; now: () => Date }): ProofOfWork {
  const hmacSignatureSecret = secret.toString('hex')
  return {
    async issue() {
      const expiresAt = new Date(now().getTime() + proofOfWorkLifeMinutes * 60_000)
      const options = { algorithm: 'PBKDF2/SHA-256', cost: iterationsCount, keyPrefix, deriveKey }
      const { parameters, signature } = await createChallenge({ ...options, expiresAt, hmacSignatureSecret })
      return { parameters: { ...parameters }, ...(signature !== undefined && { signature }) }
    },
    async check(text) {
      const payload = parse(text)
      if (payload === null) return null
      const { challenge, solution } = payload
      // The library checks the expiry with the system's clock before it checks the signature.
      if ((challenge.parameters.expiresAt ?? 0) * 1000 < now().getTime()) return null
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
      return verified ? (challenge.signature ?? null) : null
    },
  }
}

/** Parses base64 of JSON; null for another shape, because the library would throw. */
function parse(text: string): Payload | null {
  let value: Partial<Payload> | null
  try {
    value = JSON.parse(Buffer.from(text, 'base64').toString()) as Partial<Payload> | null
  } catch {
    return null
  }
  const { parameters, signature } = value?.challenge ?? {}
  const isSolution = typeof value?.solution?.counter === 'number' && typeof value.solution.derivedKey === 'string'
  const isChallenge = typeof parameters === 'object' && typeof signature === 'string'
  return isSolution && isChallenge ? (value as Payload) : null
}
