/** Largest workbook, compressed; larger tables are imported as CSV. */
const workbookMaxBytes = 50 * 1024 ** 2

export type WorkbookProblem = 'unreadable' | 'too_large'

/** What is wrong with a workbook, each with the remedy. */
export const workbookProblems: Record<WorkbookProblem, string> = {
  unreadable:
    'This workbook cannot be read. In your spreadsheet program, save the sheet as CSV, then choose that file.',
  too_large:
    'This workbook is too large to be read. In your spreadsheet program, save the sheet as CSV, then choose that file.',
}

/** A file that is no workbook, or one beyond the limits. */
export class WorkbookError extends Error {
  readonly problem: WorkbookProblem

  constructor(problem: WorkbookProblem, cause?: unknown) {
    super(workbookProblems[problem], { cause })
    this.problem = problem
  }
}

/** Throws WorkbookError for a workbook of more bytes than can be read. */
export function checkWorkbookSize(bytes: number): void {
  if (bytes > workbookMaxBytes) throw new WorkbookError('too_large')
}

/** Whether a file begins as a ZIP archive, as XLSX files are. */
export const isWorkbook = (piece: Uint8Array): boolean =>
  piece[0] === 0x50 && piece[1] === 0x4b && piece[2] === 0x03 && piece[3] === 0x04
