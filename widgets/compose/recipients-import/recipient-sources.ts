/** What pasted lists and files show: loaded with the first of them. */
export { SourceChips } from './source-chips.tsx'
export { SourceReport } from './source-report.tsx'
