import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Payload } from 'altcha-lib/types'
import { proofOfWorkLifeMinutes } from '../../contract/account/account.limits.ts'
import type { ProofOfWork } from '../domain/limits/proof-of-work.ts'

/** One derivation; a solver needs 256 of them on average, and WebCrypto makes them as fast as any other program. */
const iterationsCount = 5000
const keyPrefix = '00'

/** Proofs of work by altcha's v2: PBKDF2, of which the server makes one to check what took a solver hundreds. */
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
      // The library asks the system's clock, and for the signature after that.
      if ((challenge.parameters.expiresAt ?? 0) * 1000 < now().getTime()) return null
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
      return verified ? (challenge.signature ?? null) : null
    },
  }
}

/** Reads base64 of JSON; null for what has another shape, on which the library would throw. */
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
