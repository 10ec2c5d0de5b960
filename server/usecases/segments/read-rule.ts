import {
  findRuleFaults,
  ruleProblems,
  type RuleTargets,
  type SegmentRule,
} from '../../../contract/audience/segment-rule.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { RuleContext } from '../../domain/segments/rule-context.ts'

/** A rule that a caller gives. Throws `segment_rule_invalid` with the place and the remedy of each fault. */
export function readRule(value: unknown, context: RuleContext, path: readonly (string | number)[]): SegmentRule {
  const targets: RuleTargets = {
    fields: context.fieldTypes,
    lists: context.lists,
    segments: new Set(context.segments.keys()),
  }
  const faults = findRuleFaults(value, targets)
  if (faults.length === 0) return value as SegmentRule
  const items = faults.slice(0, 100).map(({ path: place, problem }) => ({
    loc: [...path, ...(place === '' ? [] : place.split('.'))],
    msg: ruleProblems[problem],
    type: problem,
  }))
  throw new AppError('segment_rule_invalid', { items })
}

/** A rule as JSON text. Throws `segment_rule_invalid`. */
export function readRuleText(text: string, context: RuleContext, path: readonly (string | number)[]): SegmentRule {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const item = { loc: [...path], msg: 'is not valid JSON', type: 'json' }
    throw new AppError('segment_rule_invalid', { items: [item], cause: error })
  }
  return readRule(value, context, path)
}
