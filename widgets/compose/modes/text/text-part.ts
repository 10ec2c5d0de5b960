/** The rich text editor: one request and one retry. */
export { MoreTools } from './more-tools.tsx'
export { TextEditor } from './text-editor.tsx'
