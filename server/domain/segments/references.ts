import { referencedSegments, type SegmentRule } from '../../../contract/audience/segment-rule.ts'

/**
 * Whether a segment with this rule would refer to itself, over any number of other segments. Visits each segment once.
 */
export function leadsBackTo(id: string, rule: SegmentRule, rules: ReadonlyMap<string, SegmentRule>): boolean {
  const seen = new Set<string>()
  const pending = referencedSegments(rule)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === id) return true
    if (seen.has(next)) continue
    seen.add(next)
    const referenced = rules.get(next)
    if (referenced) pending.push(...referencedSegments(referenced))
  }
  return false
}
