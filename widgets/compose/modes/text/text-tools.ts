import type { Command, EditorState, Transaction } from '@tiptap/pm/state'
import type { SnippetName } from '../../editor/snippets.ts'
import type { EditorLook } from '../rich-text/editor.ts'

/** What is open below the text. */
export type TextPanel = 'colour' | 'variables' | 'link' | 'image' | null

/** State of the editor that its tools show; a valtio proxy. `look` is a `ref`. */
export interface TextState {
  look: EditorLook
  panel: TextPanel
  /** HTML code that was pasted as text. */
  code: string | null
  /** Images that were pasted or dropped, for the panel of images. A `ref`. */
  files: readonly File[]
  /** Why something was not taken. */
  problem: string | null
}

/** The tools of Text mode, once its editor is there. */
export interface TextTools {
  readonly state: TextState
  /** A tool of every mode. */
  apply: (name: SnippetName) => void
  /** Changes the text; the caret is in it afterwards. */
  run: (command: Command) => void
  /** What a command takes to change the text without moving the focus. */
  now: () => [EditorState, ((tr: Transaction) => void)?]
  open: (panel: TextPanel) => void
  /** Closes what is open below the text. */
  close: () => void
  /** As `run`; what is open below the text closes. */
  finish: (command: Command) => void
}
