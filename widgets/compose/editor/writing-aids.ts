/** Everything that helps while a message is written: one request and one retry, with the first character of the body. */
export { PreviewPane } from '../preview/preview-pane.tsx'
export { MergeValues } from '../variables/merge-values.tsx'
export { Completion } from './completion.tsx'
export { spliceSource } from '../modes/html/splice.ts'
export { SyntaxOverlay } from './syntax-overlay.tsx'
