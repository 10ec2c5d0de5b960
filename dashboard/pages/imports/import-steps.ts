import type { Import, ImportState } from '../../../contract/audience/imports/import.ts'

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

/** Whether the server is at work on an import. */
export const isMoving = ({ state }: Pick<Import, 'state'>): boolean =>
  state === 'checking' || state === 'running' || state === 'undoing'

/** Rows of the file that are not empty; `repeated` rows are among the others. */
export function rowCount(counts: Import['counts']): number {
  if (counts === null) return 0
  const { added, updated, unchanged, refused, suppressed } = counts
  return added + updated + unchanged + refused + suppressed
}

const stepOfState: Record<ImportState, ImportStep> = {
  uploading: 'file',
  mapping: 'format',
  checking: 'check',
  checked: 'check',
  running: 'progress',
  failed: 'progress',
  done: 'result',
  cancelled: 'result',
  undoing: 'result',
  undone: 'result',
}

/** The step that is shown: that of the address, where the import's state allows it. */
export function shownStep(record: Pick<Import, 'state' | 'encoding'>, place: string): ImportStep {
  const { state, encoding } = record
  const own = stepOfState[state]
  if (state !== 'mapping' && state !== 'checked') return own
  if (encoding === null && place !== 'file') return 'format'
  if (place === 'file' || place === 'format' || place === 'columns' || place === 'consent') return place
  return state === 'mapping' && place === 'check' ? 'consent' : own
}

/** Whether the person can open a step from the one that is shown. */
export function canOpen(record: Pick<Import, 'state'>, step: ImportStep, shown: ImportStep): boolean {
  if (record.state !== 'mapping' && record.state !== 'checked') return false
  const last = record.state === 'checked' ? 'check' : shown
  return step !== shown && importSteps.indexOf(step) <= importSteps.indexOf(last)
}
