import { proxy } from 'valtio/vanilla'
import { errorText, isAbort, type Session } from '../../../../client/core/http.ts'
import { watchCampaignReport } from '../../../../client/results/report.ts'
import type { CampaignReport } from '../../../../contract/results/report.ts'

export interface ReportState {
  status: 'loading' | 'ready' | 'failed'
  error: string | null
  report: CampaignReport | null
  /** Whether the stream of figures is open. */
  isLive: boolean
  /** When the last figures arrived, in ms since 1970. */
  updatedAt: number
}

/** Pause before a stream that ended is opened again, in ms. */
const retryMs = 2000

/** The live report of a campaign. A lost connection keeps the figures. */
export function createReportStore(session: Session, id: string) {
  const state = proxy<ReportState>({ status: 'loading', error: null, report: null, isLive: false, updatedAt: 0 })
  let aborter = new AbortController()

  async function read(signal: AbortSignal): Promise<void> {
    try {
      for await (const report of watchCampaignReport(session, id, { signal })) {
        Object.assign(state, { status: 'ready', error: null, report, isLive: true, updatedAt: Date.now() })
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) return
      state.isLive = false
      if (state.report === null) Object.assign(state, { status: 'failed', error: errorText(error) })
    }
  }

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await read(signal)
      // Without figures the person decides when to try again.
      if (state.status === 'failed') return
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }

  const open = () => {
    aborter.abort()
    aborter = new AbortController()
    void follow(aborter.signal)
  }

  return {
    state,
    /** Opens the stream; returns a function that closes it. */
    start() {
      open()
      return () => aborter.abort()
    },
    retry() {
      Object.assign(state, { status: 'loading', error: null })
      open()
    },
  }
}
