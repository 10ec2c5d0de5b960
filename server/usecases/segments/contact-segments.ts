import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ContactSegmentStore } from '../../store/segments/contact-segments.ts'
import type { RuleContextStore } from '../../store/segments/rule-context.ts'
import type { SegmentStore } from '../../store/segments/segment.ts'

interface Ports {
  contactSegments: Pick<ContactSegmentStore, 'match'>
  segments: Pick<SegmentStore, 'listRules'>
  ruleContext: Pick<RuleContextStore, 'read'>
  now: () => Date
}

export type ListContactSegments = ReturnType<typeof createListContactSegments>

/** The segments that a contact is in at present, by name. Throws `contact_not_found`. */
export function createListContactSegments({ contactSegments, segments, ruleContext, now }: Ports) {
  return async (scope: Scope, contactId: string): Promise<{ id: number; name: string }[]> => {
    const [all, rules] = await Promise.all([segments.listRules(scope), ruleContext.read(scope, now())])
    const isId = /^[1-9]\d{0,17}$/.test(contactId)
    const ofAll = all.map(({ rule }) => rule)
    const matches = isId ? await contactSegments.match(scope, contactId, ofAll, rules) : null
    if (matches === null) throw new AppError('contact_not_found')
    return all.filter((_segment, at) => matches[at])
  }
}
