import { createSegment } from '../../../client/audience/segment.ts'
import { ApiError, type Session } from '../../../client/core/http.ts'
import { segmentErrors } from '../../../contract/audience/segment.errors.ts'
import { segmentNameMaxChars } from '../../../contract/audience/segment.limits.ts'
import type { Segment } from '../../../contract/audience/segment.ts'
import { pageLanguage } from '../../../widgets/lib/messages/messages.ts'

/** How many names are tried where the first one is taken. */
const triesCount = 20

/** Saves a second segment with the same rule, under a free name. Throws ApiError. */
export async function duplicateSegment(
  session: Session,
  { name, rule }: Pick<Segment, 'name' | 'rule'>,
): Promise<Segment> {
  for (let number = 1; ; number++) {
    const text =
      number === 1
        ? pageLanguage.t('Copy of {name}', { name })
        : pageLanguage.t('Copy {number} of {name}', { number, name })
    try {
      return await createSegment(session, { name: text.slice(0, segmentNameMaxChars), rule })
    } catch (error) {
      const isTaken = error instanceof ApiError && error.detail === segmentErrors.segment_exists.sentence
      if (!isTaken || number === triesCount) throw error
    }
  }
}
