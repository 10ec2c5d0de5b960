/** The rich text editor: one request and one retry. */
export { TextEditor } from './text-editor.tsx'
