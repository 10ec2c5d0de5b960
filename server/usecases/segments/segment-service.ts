import { leavesOf, referencedSegments, type SegmentRule } from '../../../contract/audience/segment-rule.ts'
import { liveSegmentsMaxCount, segmentsMaxCount } from '../../../contract/audience/segment.limits.ts'
import { AppError } from '../../../contract/core/errors.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import type { ContactRow } from '../../domain/contacts/contact.ts'
import { leadsBackTo } from '../../domain/segments/references.ts'
import type { ContactStore } from '../../store/contacts/contact.ts'
import type { ContactSelection } from '../../store/contacts/contact-filter.sql.ts'
import type { RuleContextStore, WorkspaceRules } from '../../store/segments/rule-context.ts'
import type { SegmentRow, SegmentStore } from '../../store/segments/segment.ts'
import type { EvaluationLoad } from './evaluation-load.ts'
import { readRule } from './read-rule.ts'

interface Ports {
  segments: SegmentStore
  contacts: Pick<ContactStore, 'count' | 'countEach' | 'estimate' | 'list'>
  ruleContext: Pick<RuleContextStore, 'read'>
  load: Pick<EvaluationLoad, 'run'>
  now: () => Date
}

/** A segment with the segments whose rules refer to it, and the campaigns whose audience it is in. */
export interface SegmentWithUse extends SegmentRow {
  usedBy: { kind: 'segment' | 'campaign'; id: string; name: string }[]
}

/** What a rule finds. */
export interface RulePreview {
  count: number
  isEstimate: boolean
  tookMs: number
  contacts: ContactRow[]
  /** People left after each row, rows of groups within the rule included. */
  steps: number[]
}

const evaluationTimeoutMs = 10_000
const examplesCount = 10
/** From this duration of the count on it is sent without those of the rows. */
const slowMs = 250
/** Rows of a rule for which the people left are counted. */
const stepsMaxCount = 12

/** Manages the segments of a workspace. */
export function createSegmentService({ segments, contacts, ruleContext, load, now }: Ports) {
  const withUse = async (scope: Scope, rows: readonly SegmentRow[]): Promise<SegmentWithUse[]> => {
    const ids = rows.map(({ id }) => id)
    const [rules, campaigns] = await Promise.all([segments.listRules(scope), segments.listCampaigns(scope, ids)])
    return rows.map((row) => ({
      ...row,
      usedBy: [
        ...rules
          .filter(({ rule }) => referencedSegments(rule).includes(String(row.id)))
          .map(({ id, name }) => ({ kind: 'segment' as const, id: String(id), name })),
        ...campaigns
          .filter(({ segmentId }) => segmentId === row.id)
          .map(({ id, name }) => ({ kind: 'campaign' as const, id, name })),
      ],
    }))
  }
  const known = async (scope: Scope, id: string): Promise<SegmentWithUse> => {
    const row = isSegmentId(id) ? await segments.find(scope, id) : null
    const [segment] = row === null ? [] : await withUse(scope, [row])
    if (segment === undefined) throw new AppError('segment_not_found')
    return segment
  }
  const select = (rule: SegmentRule, { context, timezone }: WorkspaceRules): ContactSelection => ({
    search: null,
    listId: null,
    status: null,
    rule: { rule, context, timezone },
  })

  /** The rule, checked against what it refers to. Throws `segment_rule_invalid`, `segment_cycle`. */
  const check = (given: unknown, id: string | null, { context }: WorkspaceRules): SegmentRule => {
    const rule = readRule(given, context, ['body', 'rule'])
    if (id !== null && leadsBackTo(id, rule, context.segments)) throw cycle()
    return rule
  }

  return {
    /** By name. */
    listSegments: async (scope: Scope) => withUse(scope, await segments.list(scope)),

    /** Throws `segment_not_found`. */
    getSegment: known,

    /**
     * Throws `validation`, `segment_rule_invalid`, `segment_exists`, `segment_limit_reached`,
     * `segment_live_limit_reached`.
     */
    async createSegment(
      scope: Scope,
      { name, rule: given, is_live: isLive = false }: { name: string; rule: unknown; is_live?: boolean | undefined },
    ): Promise<SegmentWithUse> {
      const rules = await ruleContext.read(scope, now())
      const rule = check(given, null, rules)
      const row = { name: cleanName(name), rule, isLive, createdAt: now() }
      const limits = { maxCount: segmentsMaxCount, liveMaxCount: liveSegmentsMaxCount }
      const made = await segments.create(scope, row, limits)
      if (made === 'taken') throw new AppError('segment_exists')
      if (made === 'limit') throw new AppError('segment_limit_reached')
      if (made === 'live_limit') throw new AppError('segment_live_limit_reached')
      return known(scope, String(made.id))
    },

    /**
     * Throws `validation`, `segment_not_found`, `segment_rule_invalid`, `segment_cycle`, `segment_exists`,
     * `segment_live_limit_reached`.
     */
    async updateSegment(
      scope: Scope,
      id: string,
      {
        name,
        rule: given,
        is_live: isLive,
      }: { name?: string | undefined; rule?: unknown; is_live?: boolean | undefined },
    ): Promise<SegmentWithUse> {
      await known(scope, id)
      const rule = given === undefined ? undefined : check(given, id, await ruleContext.read(scope, now()))
      const changes = {
        ...(name !== undefined && { name: cleanName(name) }),
        ...(rule !== undefined && { rule }),
        ...(isLive !== undefined && { isLive }),
        updatedAt: now(),
      }
      const changed = await segments.update(scope, id, changes, liveSegmentsMaxCount)
      if (changed === 'taken') throw new AppError('segment_exists')
      if (changed === 'live_limit') throw new AppError('segment_live_limit_reached')
      if (changed === null) throw new AppError('segment_not_found')
      // Other segments may refer to this one.
      if (rule !== undefined) await segments.requestRebuild(scope, now())
      return known(scope, id)
    },

    /** Throws `segment_not_found`, and `segment_in_use` with the names of the segments that refer to it. */
    async deleteSegment(scope: Scope, id: string): Promise<void> {
      const segmentUses = (await known(scope, id)).usedBy.filter(({ kind }) => kind === 'segment')
      if (segmentUses.length > 0) {
        const names = segmentUses.slice(0, 5).map(({ name }) => `“${name}”`)
        throw new AppError('segment_in_use', {
          detail: `Other segments refer to this one: ${names.join(', ')}. Change them first.`,
        })
      }
      await segments.remove(scope, id, now())
    },

    /**
     * An estimate where there are many contacts, then the exact number with ten examples. Throws `segment_rule_invalid`,
     * `segment_cycle`.
     */
    async preview(scope: Scope, given: unknown, segmentId: string | null): Promise<AsyncGenerator<RulePreview>> {
      const rules = await ruleContext.read(scope, now())
      const rule = check(given, segmentId, rules)
      return previewOf(scope, rule, rules, segmentId)
    },
  }

  async function* previewOf(
    scope: Scope,
    rule: SegmentRule,
    rules: WorkspaceRules,
    segmentId: string | null,
  ): AsyncGenerator<RulePreview> {
    const { workspaceId } = scope
    const timed = async <T>(work: () => Promise<T>): Promise<{ value: T; tookMs: number }> =>
      load.run(workspaceId, async () => {
        const startedAt = performance.now()
        const value = await work()
        return { value, tookMs: Math.round(performance.now() - startedAt) }
      })
    const estimate = await timed(() => contacts.estimate(scope, select(rule, rules)))
    if (estimate.value !== null)
      yield { count: estimate.value, isEstimate: true, tookMs: estimate.tookMs, contacts: [], steps: [] }
    const { value: count, tookMs: costMs } = await timed(() =>
      contacts.count(scope, select(rule, rules), evaluationTimeoutMs),
    )
    const page = { sort: 'newest', limit: examplesCount, after: null } as const
    const { value: examples } = await timed(() => contacts.list(scope, select(rule, rules), page))
    const partial = growing(rule)
    const found = { count, isEstimate: false, tookMs: costMs, contacts: examples.rows }
    // The rows of a rule are counted behind the rule itself, which does not wait for them where it took long.
    if (partial.length > 0 && costMs > slowMs) yield { ...found, steps: [] }
    const { value: steps } =
      partial.length === 0
        ? { value: [] }
        : await timed(() => contacts.countEach(scope, partial, rules, evaluationTimeoutMs))
    yield { ...found, steps: hasSteps(rule) ? [...steps, count] : [] }
    const saved = segmentId === null ? null : await segments.find(scope, segmentId)
    if (saved !== null && JSON.stringify(saved.rule) === JSON.stringify(rule)) {
      const { ruleVersion } = saved
      await segments.noteEvaluation(scope, String(saved.id), { ruleVersion, memberCount: count, costMs, at: now() })
    }
  }
}

/** The rule with its first row, its first two rows and so on, rows of groups within it included; without the whole rule. */
function growing(rule: SegmentRule): SegmentRule[] {
  if (!hasSteps(rule)) return []
  return Array.from({ length: countRows(rule) - 1 }, (_, at) => firstRows(rule, at + 1))
}

/** The rule without its rows after the first `count`. */
function firstRows(rule: SegmentRule, count: number): SegmentRule {
  if ('not' in rule) return { not: firstRows(rule.not, count) }
  if (!('all' in rule || 'any' in rule)) return rule
  const kept: SegmentRule[] = []
  let left = count
  for (const part of 'all' in rule ? rule.all : rule.any) {
    if (left <= 0) break
    kept.push(firstRows(part, left))
    left -= countRows(part)
  }
  return 'all' in rule ? { all: kept } : { any: kept }
}

const countRows = (rule: SegmentRule): number => [...leavesOf(rule)].length
const hasSteps = (rule: SegmentRule): boolean => countRows(rule) > 0 && countRows(rule) <= stepsMaxCount
const isSegmentId = (id: string): boolean => /^[1-9]\d{0,17}$/.test(id)

function cleanName(name: string): string {
  const text = name.normalize('NFC').trim()
  if (text !== '') return text
  throw new AppError('validation', { items: [{ loc: ['body', 'name'], msg: 'needs a name', type: 'missing' }] })
}

function cycle(): AppError {
  const msg = 'leads back to its own segment; remove the reference'
  return new AppError('segment_cycle', { items: [{ loc: ['body', 'rule'], msg, type: 'cycle' }] })
}
