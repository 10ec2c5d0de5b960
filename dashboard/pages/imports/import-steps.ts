import type { Import, ImportState } from '../../../contract/audience/import.ts'

/** Steps of the wizard, with the words that stand for them. */
export const stepLabels = {
  file: 'File',
  format: 'Detected format',
  columns: 'Columns',
  consent: 'Consent and list',
  check: 'Check',
  progress: 'Progress',
  result: 'Result',
} as const
export type ImportStep = keyof typeof stepLabels
export const importSteps = Object.keys(stepLabels) as ImportStep[]

/** What decides about steps. */
type Decisive = Pick<Import, 'state' | 'encoding'> & { readonly counts: Readonly<NonNullable<Import['counts']>> | null }

/** Whether the server is at work on an import. */
export const isMoving = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'checking' || state === 'running' || state === 'undoing'

/** Rows of the file that are not empty; `repeated` rows are among the others. */
export function rowCount(counts: Decisive['counts']): number {
  if (counts === null) return 0
  const { added, updated, unchanged, refused, suppressed } = counts
  return added + updated + unchanged + refused + suppressed
}

/** Whether a failed import had begun to write: it can be resumed then. */
export const isResumable = ({ state, counts }: Decisive): boolean => state === 'failed' && rowCount(counts) > 0

const stepOfState: Record<Exclude<ImportState, 'failed'>, ImportStep> = {
  uploading: 'file',
  mapping: 'format',
  checking: 'check',
  checked: 'check',
  running: 'progress',
  done: 'result',
  cancelled: 'result',
  undoing: 'result',
  undone: 'result',
}

/** The step that is shown: that of the address, where the import's state allows it. */
export function shownStep(record: Decisive, place: string): ImportStep {
  const { state, encoding } = record
  const own = state === 'failed' ? (isResumable(record) ? 'progress' : 'check') : stepOfState[state]
  if (state !== 'mapping' && state !== 'checked') return own
  if (encoding === null && place !== 'file') return 'format'
  if (place === 'file' || place === 'format' || place === 'columns' || place === 'consent') return place
  return state === 'mapping' && place === 'check' ? 'consent' : own
}

/** Whether the person can open a step from the one that is shown. */
export function canOpen(record: Decisive, step: ImportStep, shown: ImportStep): boolean {
  if (record.state !== 'mapping' && record.state !== 'checked') return false
  const last = record.state === 'checked' ? 'check' : shown
  return step !== shown && importSteps.indexOf(step) <= importSteps.indexOf(last)
}
