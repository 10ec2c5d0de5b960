import { AppError } from '../../../contract/core/errors.ts'
import type { AttemptKind, Attempts } from '../../domain/limits/attempt.ts'

/** Under which kind an attempt counts, and for whom. */
export type Limit = readonly [kind: AttemptKind, subject: string]

/**
 * Counts a try under each limit before anything is looked at: of many at once, no more pass than may. Gives what it counted,
 * to be given back where it was none of those that are limited. Throws `too_many_attempts`.
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
