import type { BehaviourSource, FieldType, SegmentRule } from '../../../contract/audience/segment-rule.ts'

/** What a rule needs beside the contact. */
export interface RuleContext {
  /** In the workspace's time zone, `YYYY-MM-DD`. */
  today: string
  /** Types of the custom fields that are not deleted. */
  fieldTypes: ReadonlyMap<number, FieldType>
  /** Lists that are not deleted. */
  lists: ReadonlySet<string>
  /** Rules of the segments that are not deleted. */
  segments: ReadonlyMap<string, SegmentRule>
  /** Campaigns that began, latest first. */
  campaigns: readonly string[]
}

/** Campaigns whose mails count; null: every mail. `began` lists those that began, latest first. */
export function countedCampaigns(source: BehaviourSource, began: readonly string[]): readonly string[] | null {
  if (source === 'any') return null
  return 'campaigns' in source ? source.campaigns : began.slice(0, source.last)
}

/** Lower case for A to Z only, as `lower` of PostgreSQL does under the collation "C". */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
