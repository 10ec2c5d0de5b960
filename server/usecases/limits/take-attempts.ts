import { AppError } from '../../../contract/core/errors.ts'
import type { AttemptKind, Attempts } from '../../domain/limits/attempt.ts'

/** The kind of an attempt, and its subject. */
export type Limit = readonly [kind: AttemptKind, subject: string]

/**
 * Counts one attempt under each limit, before the work starts, so that concurrent attempts never exceed a limit. Returns the
 * ids for `giveBack`. Throws `too_many_attempts`; then none is counted.
 */
export async function takeAll(
  attempts: Pick<Attempts, 'take' | 'giveBack'>,
  limits: readonly Limit[],
): Promise<number[]> {
  const taken: number[] = []
  for (const [kind, subject] of limits) {
    const one = await attempts.take(kind, subject)
    if (!one.ok) {
      await Promise.all(taken.map((id) => attempts.giveBack(id)))
      throw new AppError('too_many_attempts', { retryAfterMs: one.retryAfterMs })
    }
    taken.push(one.id)
  }
  return taken
}
