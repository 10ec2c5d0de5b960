/** What shows and helps while a message is written, in one file: fetched with the first character of the body. */
export { Completion } from '../editor/completion.tsx'
export { MergeValues } from '../variables/merge-values.tsx'
export { Paint } from '../editor/syntax-overlay.tsx'
export { PreviewPane } from './preview-pane.tsx'
