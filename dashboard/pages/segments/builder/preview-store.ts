import { proxy, ref } from 'valtio/vanilla'
import { previewSegment } from '../../../../client/audience/segment.ts'
import { errorText, isAbort, type Session } from '../../../../client/core/http.ts'
import type { SegmentRule } from '../../../../contract/audience/segment-rule.ts'
import type { SegmentPreview } from '../../../../contract/audience/segment.ts'

export interface PreviewState {
  /** `invalid`: the rule has faults, nothing is counted. `counting`: nothing has come for the present rule. */
  phase: 'invalid' | 'counting' | 'estimate' | 'exact' | 'failed'
  /** Of the last rule that was counted; null where there is none or the present rule is invalid. */
  count: number | null
  /** Duration of the exact count. */
  tookMs: number
  /** Ten people that match. */
  contacts: SegmentPreview['contacts']
  /** People left after each row, in the order of the rows. */
  steps: readonly number[]
  error: string | null
}

/** How long the rules rest before they are counted. */
const restMs = 300

/** The people whom a rule finds: an estimate, then the exact number. */
export function createPreviewStore(session: Session) {
  const state = proxy<PreviewState>({
    phase: 'counting',
    count: null,
    tookMs: 0,
    contacts: ref([]),
    steps: ref([]),
    error: null,
  })
  let counting = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let present: { rule: SegmentRule; segmentId: string | null } | null = null

  function stop(): void {
    counting.abort()
    clearTimeout(timer)
  }

  async function run(): Promise<void> {
    if (present === null) return
    const { rule, segmentId } = present
    const { signal } = (counting = new AbortController())
    try {
      const body = { rule, ...(segmentId !== null && { segment_id: segmentId }) }
      for await (const answer of previewSegment(session, body, { signal })) take(answer)
      if (state.phase === 'counting' || state.phase === 'estimate') fail(null)
    } catch (error) {
      if (!isAbort(error)) fail(errorText(error))
    }
  }

  function take({ count, is_estimate: isEstimate, took_ms: tookMs, contacts, steps }: SegmentPreview): void {
    Object.assign(state, { phase: isEstimate ? 'estimate' : 'exact', count, error: null })
    if (!isEstimate) Object.assign(state, { tookMs, contacts: ref(contacts), steps: ref(steps) })
  }

  /** The estimate stays, where there is one. */
  function fail(error: string | null): void {
    if (state.phase !== 'estimate') state.count = null
    Object.assign(state, { phase: 'failed', error, steps: ref([]) })
  }

  return {
    state,
    stop,
    /** Counts a rule once it has not changed for a moment; null for one with faults. */
    count(rule: SegmentRule | null, segmentId: string | null): void {
      stop()
      present = rule === null ? null : { rule, segmentId }
      if (rule === null) {
        Object.assign(state, { phase: 'invalid', count: null, contacts: ref([]), steps: ref([]), error: null })
        return
      }
      Object.assign(state, { phase: 'counting', steps: ref([]), error: null })
      timer = setTimeout(() => void run(), restMs)
    },
    /** Counts the present rule again. */
    retry(): void {
      stop()
      Object.assign(state, { phase: 'counting', steps: ref([]), error: null })
      void run()
    },
  }
}

export type PreviewStore = ReturnType<typeof createPreviewStore>
