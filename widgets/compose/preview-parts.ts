/** What shows and helps while a message is written, in one file: fetched with the first character of the body. */
export { Completion } from './completion.tsx'
export { MergeValues } from './merge-values.tsx'
export { Paint } from './syntax-overlay.tsx'
export { PreviewPane } from './preview-pane.tsx'
