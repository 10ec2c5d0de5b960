import { leavesOf, type SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { LeftOutReason } from '../../../contract/audience/campaign-audience.ts'
import type { RuleContext } from '../segments/rule-context.ts'

/** Lists and segments that a campaign goes to, and those that it leaves out. Ids are decimal texts. */
export interface CampaignAudience {
  listIds: readonly string[]
  segmentIds: readonly string[]
  excludeListIds: readonly string[]
  excludeSegmentIds: readonly string[]
}

export const noAudience: CampaignAudience = { listIds: [], segmentIds: [], excludeListIds: [], excludeSegmentIds: [] }

export type LeftOutCounts = Partial<Record<LeftOutReason, number>>

/** How many people an audience has. */
export interface AudienceCounts {
  isEstimate: boolean
  count: number
  sources: { kind: 'list' | 'segment' | 'recipients'; id: string | null; count: number }[]
  /** How often a person of one source is in an earlier one too. */
  overlapCount: number
  leftOut: LeftOutCounts
}

export function isEmptyAudience(audience: CampaignAudience): boolean {
  return Object.values(audience).every((ids: readonly string[]) => ids.length === 0)
}

/** Something that was deleted and that an audience needs. */
export interface DeletedReference {
  kind: 'field' | 'list' | 'segment'
  id: string
  /** Segment whose rule refers to it; null where the audience itself does. */
  segmentId: string | null
}

/** The first deleted field, list or segment that an audience refers to, over any number of segments; null without one. */
export function findDeletedReference(
  { listIds, segmentIds, excludeListIds, excludeSegmentIds }: CampaignAudience,
  context: Pick<RuleContext, 'fieldTypes' | 'lists' | 'segments'>,
): DeletedReference | null {
  const list = [...listIds, ...excludeListIds].find((id) => !context.lists.has(id))
  if (list !== undefined) return { kind: 'list', id: list, segmentId: null }
  const pending = [...segmentIds, ...excludeSegmentIds].map((id) => ({ id, from: null as string | null }))
  const seen = new Set<string>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next.id)) continue
    seen.add(next.id)
    const rule = context.segments.get(next.id)
    if (rule === undefined) return { kind: 'segment', id: next.id, segmentId: next.from }
    const deleted = deletedIn(rule, next.id, context)
    if (deleted !== null) return deleted
    for (const leaf of leavesOf(rule)) if ('segment' in leaf) pending.push({ id: leaf.segment, from: next.id })
  }
  return null
}

function deletedIn(
  rule: SegmentRule,
  segmentId: string,
  { fieldTypes, lists }: Pick<RuleContext, 'fieldTypes' | 'lists'>,
): DeletedReference | null {
  for (const leaf of leavesOf(rule)) {
    if ('list' in leaf && !lists.has(leaf.list)) return { kind: 'list', id: leaf.list, segmentId }
    if ('field' in leaf && typeof leaf.field === 'number' && !fieldTypes.has(leaf.field))
      return { kind: 'field', id: String(leaf.field), segmentId }
  }
  return null
}

/** Which part of an audience is deleted, and what to do. */
export function deletedSentence({ kind }: DeletedReference, name: string, segmentName: string | null): string {
  const deleted = `the ${kind} “${name}”, which was deleted`
  return segmentName === null
    ? `The audience refers to ${deleted}. Remove it from the audience.`
    : `The segment “${segmentName}” refers to ${deleted}. Change the rule of the segment.`
}
