import type { TrackingMode } from '../../../contract/results/tracking-mode.ts'

/** A workspace as its members see it. */
export interface WorkspaceRow {
  id: string
  name: string
  /** Lines of text; null until it is set. */
  postalAddress: string | null
  /** What opens and clicks of its campaigns are recorded for, at most. */
  tracking: TrackingMode
  /** The same for mails of send calls that do not say. */
  apiTracking: TrackingMode
  /** Months for which single events are kept. */
  eventsKeepMonths: number
}
