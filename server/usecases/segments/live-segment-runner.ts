import type { SegmentRule } from '../../../contract/audience/segment-rule.ts'
import type { Scope } from '../../domain/auth/scope.ts'
import { clockOf, nextEvaluationOf } from '../../domain/segments/live.ts'
import type { DueSegment, LiveSegmentStore } from '../../store/segments/live-segment.ts'
import type { RuleContextStore } from '../../store/segments/rule-context.ts'
import { createBackgroundWorker } from '../core/background-worker.ts'
import type { EvaluationLoad } from './evaluation-load.ts'

interface Ports {
  live: Pick<LiveSegmentStore, 'evaluateTouched' | 'recount' | 'postpone' | 'rebuild' | 'skipContacts' | 'finish'>
  ruleContext: Pick<RuleContextStore, 'read'>
  /** Workspaces whose contacts have changed. */
  listTouched: () => Promise<string[]>
  /** The live segment that waits longest for its comparison with all contacts; null where none is due. */
  findDue: (now: Date) => Promise<DueSegment | null>
  /** The scope of a task in one workspace. */
  scopeOf: (workspaceId: string) => Scope
  load: Pick<EvaluationLoad, 'rest'>
  now: () => Date
  onError: (error: unknown) => void
}

const pollMs = 1000
const touchBatchCount = 1000
/** Batches of one workspace before the others get their turn. */
const turnBatchCount = 20
/** Contacts of one step of a rebuild. */
const stepCount = 200_000
/** A rebuild that fails, or whose process ends, is tried again after it. */
const retryMs = 5 * 60_000

/**
 * Keeps live segments up to date: evaluates contacts that have changed, and compares members with all contacts where the
 * calendar, mails or the rule have changed.
 */
export function createLiveSegmentRunner({
  live,
  ruleContext,
  listTouched,
  findDue,
  scopeOf,
  load,
  now,
  onError,
}: Ports) {
  /** Takes a turn; returns whether touches are left. */
  async function follow(workspaceId: string, isClosed: () => boolean): Promise<boolean> {
    const scope = scopeOf(workspaceId)
    const readRules = () => ruleContext.read(scope, now())
    let isAnyGone = false
    for (let batch = 0; batch < turnBatchCount && !isClosed(); batch++) {
      const { touchCount, goneCount } = await live.evaluateTouched(scope, {
        limit: touchBatchCount,
        now: now(),
        readRules,
      })
      isAnyGone ||= goneCount > 0
      if (touchCount === touchBatchCount) continue
      if (isAnyGone) await live.recount(scope)
      return false
    }
    return true
  }

  const touched = createBackgroundWorker<string[]>({
    async claim() {
      const workspaces = await listTouched()
      return workspaces.length === 0 ? null : workspaces
    },
    async run(workspaces, isClosed) {
      let isAnyDone = false
      for (const workspaceId of workspaces) {
        if (isClosed()) return
        try {
          await follow(workspaceId, isClosed)
          isAnyDone = true
        } catch (error) {
          onError(error)
        }
      }
      if (!isAnyDone) throw new Error('No live segment could be evaluated')
    },
    onError,
    pollMs,
  })

  async function rebuild(due: DueSegment, isClosed: () => boolean): Promise<void> {
    const scope = scopeOf(due.workspaceId)
    const readRules = () => ruleContext.read(scope, now())
    const { context } = await readRules()
    const rule: SegmentRule | undefined = context.segments.get(String(due.id))
    if (rule === undefined) return
    const clock = clockOf(rule, context.segments)
    // Of all steps: one that ends after midnight has compared with the day that is over.
    const at = now()
    let costMs = 0
    for (let after = 0; ;) {
      if (isClosed()) return
      // Each step of a rule on mails would read all mails again.
      const next = clock === 'mails' ? null : await live.skipContacts(scope, after, stepCount)
      const startedAt = performance.now()
      const range = { after, upTo: next ?? Number.MAX_SAFE_INTEGER }
      if (!(await live.rebuild(scope, due, range, { now: at, readRules }))) return
      costMs += performance.now() - startedAt
      await load.rest(startedAt, isClosed)
      if (next === null) break
      after = next
    }
    const { isAfterMidnight, inMs } = nextEvaluationOf(clock, due.id, at.getTime() - due.updatedAt.getTime())
    // An interval begins at the end of the work, so that a long one leaves time to others.
    const tookMs = isAfterMidnight ? 0 : now().getTime() - at.getTime()
    await live.finish(scope, due, {
      now: at,
      costMs: Math.round(costMs),
      next: { isAfterMidnight, inMs: inMs + tookMs },
    })
  }

  const rebuilds = createBackgroundWorker<DueSegment>({
    async claim() {
      const due = await findDue(now())
      if (due === null) return null
      const until = new Date(now().getTime() + retryMs)
      return (await live.postpone(scopeOf(due.workspaceId), due, now(), until)) ? due : null
    },
    run: rebuild,
    onError,
    pollMs,
  })

  return {
    start() {
      touched.start()
      rebuilds.start()
    },
    async close(): Promise<void> {
      await Promise.all([touched.close(), rebuilds.close()])
    },
  }
}
