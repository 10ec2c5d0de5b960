import { baseKeymap } from '@tiptap/pm/commands'
import { history, redo, undo } from '@tiptap/pm/history'
import { keymap } from '@tiptap/pm/keymap'
import type { Node, Slice } from '@tiptap/pm/model'
import {
  AllSelection,
  EditorState,
  NodeSelection,
  Plugin,
  Selection,
  TextSelection,
  type Command,
} from '@tiptap/pm/state'
import { EditorView, type NodeViewConstructor } from '@tiptap/pm/view'
import type { Block } from '../../../../contract/design/design.ts'
import { linkAt, ownKeys } from './commands.ts'
import { readPaste } from './paste.ts'
import { contentOf, inlineOf, placeOf } from './plain.ts'
import { blockOf, schema, variableOf } from './schema.ts'

/** What the caret is at. */
export type Selected =
  | { kind: 'block'; pos: number; block: Block }
  | { kind: 'variable'; pos: number; name: string; fallback: string }
  | { kind: 'link'; href: string }
  | null

/** What the tools show. */
export interface EditorLook {
  selected: Selected
  formats: readonly string[]
  canUndo: boolean
  canRedo: boolean
}

export interface RichTextOptions {
  doc: Node
  /** Name of the editing area. */
  label: string
  placeholder: string
  isReadOnly: boolean
  /** Draws a block in the text. */
  drawBlock: (block: Block) => HTMLElement
  onChange: (doc: Node) => void
  onLook: (look: EditorLook) => void
  /** HTML code was pasted as text. */
  onCode: (code: string) => void
  onTooLong: () => void
  /** Files that were pasted or dropped; returns whether they are taken. */
  onFiles: (files: DataTransfer) => boolean
}

/** Text that was typed before the editor came. */
export interface Typed {
  text: string
  /** Whether it is added at the end of the document, which it replaces otherwise. */
  isAdded: boolean
  selectionStart: number
  selectionEnd: number
  scrollTop: number
  hasFocus: boolean
}

export interface RichText {
  readonly view: EditorView
  run: (command: Command) => void
  /** Another document in place of this one, as one step that can be undone. */
  replace: (doc: Node) => void
  /** Takes over what was typed, as one step that can be undone, with caret, selection, focus and scroll position. */
  takeOver: (typed: Typed) => void
  destroy: () => void
}

/** Mounts the editor in a place, also inside a shadow root. It adds no style sheet: the place has one. */
export function mountRichText(place: HTMLElement, options: RichTextOptions): RichText {
  let copied: { text: string; slice: Slice } | null = null
  const keys = keymap({ ...ownKeys, 'Mod-z': undo, 'Mod-y': redo, 'Shift-Mod-z': redo })
  const insert = (slice: Slice) => {
    view.dispatch(view.state.tr.replaceSelection(slice).scrollIntoView().setMeta('paste', true))
  }
  const take = (data: DataTransfer | null) => {
    if (data === null) return
    if (data.files.length > 0 && options.onFiles(data)) return
    if (copied !== null && copied.text === data.getData('text/plain')) {
      insert(copied.slice)
      return
    }
    const pasted = readPaste(data)
    if (pasted === null) options.onTooLong()
    else {
      insert(pasted.slice)
      if (pasted.code !== null) options.onCode(pasted.code)
    }
  }
  const onDrop = (_view: EditorView, event: DragEvent) => {
    if (view.dragging !== null) return false
    event.preventDefault()
    const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
    if (at) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))))
    take(event.dataTransfer)
    return true
  }
  const view: EditorView = new EditorView(place, {
    state: EditorState.create({ doc: options.doc, plugins: [history(), keys, keymap(baseKeymap), variables] }),
    editable: () => !options.isReadOnly,
    attributes: {
      class: 'rich-text',
      role: 'textbox',
      'aria-multiline': 'true',
      // Editable elements are in the tab order anyway; checkers of accessibility know it by this.
      tabindex: '0',
      'aria-label': options.label,
      'aria-readonly': String(options.isReadOnly),
      dir: 'auto',
      spellcheck: 'true',
      'data-placeholder': options.placeholder,
    },
    nodeViews: { object: blockView(options.drawBlock) },
    dispatchTransaction(tr) {
      view.updateState(view.state.apply(tr))
      if (tr.docChanged) options.onChange(view.state.doc)
      look()
    },
    // Before ProseMirror's own reader of clipboards, whose Trusted Types policy a strict page refuses.
    handleDOMEvents: {
      paste(_view, event) {
        event.preventDefault()
        take(event.clipboardData)
        return true
      },
      drop: onDrop,
    },
    clipboardTextSerializer: (slice) => {
      const text = slice.content.textBetween(0, slice.content.size, '\n\n')
      copied = { text, slice }
      return text
    },
  })
  let lastLook = ''
  function look(): void {
    view.dom.toggleAttribute('data-empty', isEmpty(view.state.doc))
    const next = lookOf(view.state)
    const key = JSON.stringify(next)
    if (key === lastLook) return
    lastLook = key
    options.onLook(next)
  }
  look()
  return {
    view,
    run(command) {
      command(view.state, view.dispatch, view)
      view.focus()
    },
    replace(doc) {
      const { tr } = view.state
      // Braces in it are meant as they are.
      view.dispatch(tr.replaceWith(0, tr.doc.content.size, doc.content).setMeta('paste', true))
    },
    takeOver({ text, isAdded, selectionStart, selectionEnd, scrollTop, hasFocus }) {
      const { tr } = view.state
      const end = tr.doc.content.size
      if (text !== '') {
        const start = isAdded ? end : 0
        tr.replaceWith(start, end, contentOf(text))
        const [from, to] = [placeOf(text, selectionStart), placeOf(text, selectionEnd)]
        tr.setSelection(TextSelection.between(tr.doc.resolve(start + from), tr.doc.resolve(start + to)))
      } else if (hasFocus) {
        // Whoever is in the box while it waits for its message goes on after that.
        tr.setSelection(Selection.findFrom(tr.doc.resolve(end), -1, true) ?? tr.selection)
      }
      view.dispatch(tr)
      if (hasFocus) view.focus()
      place.scrollTop = scrollTop
    },
    destroy: () => view.destroy(),
  }
}

const isEmpty = (doc: Node) => doc.childCount === 1 && doc.firstChild?.isTextblock === true && doc.content.size === 2

function lookOf(state: EditorState): EditorLook {
  const { selection, storedMarks } = state
  const { from, to, empty, $from } = selection
  const formats = Object.values(schema.marks)
    .filter((type) => (empty ? type.isInSet(storedMarks ?? $from.marks()) : state.doc.rangeHasMark(from, to, type)))
    .map(({ name }) => name)
  return { selected: selectedOf(state), formats, canUndo: undo(state), canRedo: redo(state) }
}

function selectedOf(state: EditorState): Selected {
  const { selection } = state
  if (selection instanceof NodeSelection) {
    const { node, from: pos } = selection
    if (node.type === schema.nodes.object) return { kind: 'block', pos, block: blockOf(node) }
    if (node.type === schema.nodes.variable) return { kind: 'variable', pos, ...variableOf(node) }
  }
  if (selection instanceof AllSelection) return null
  const { href } = linkAt(state)
  return href === '' ? null : { kind: 'link', href }
}

/** Makes variables of `{{name}}` in what is typed, dictated or completed by the system. Pasted text is converted before. */
const variables = new Plugin({
  appendTransaction(trs, before, { doc, tr }) {
    const start = before.doc.content.findDiffStart(doc.content)
    const end = before.doc.content.findDiffEnd(doc.content)
    if (start === null || !end || trs.some((one) => one.getMeta('paste') !== undefined)) return null
    const [from, to] = [Math.min(start, end.b), Math.max(start, end.b)]
    doc.nodesBetween(from, to, ({ text = '', marks }, pos) => {
      for (const { 0: found, index } of text.matchAll(/\{\{[^{}]*\}\}/g)) {
        const [variable] = inlineOf(found)
        const at = pos + index
        // Others of this text are meant as they are.
        if (variable?.type === schema.nodes.variable && at < to && at + found.length > from)
          tr.replaceWith(tr.mapping.map(at), tr.mapping.map(at + found.length), variable.mark(marks))
      }
    })
    return tr.docChanged ? tr : null
  },
})

function blockView(draw: (block: Block) => HTMLElement): NodeViewConstructor {
  return (node) => {
    const dom = document.createElement('div')
    dom.className = 'object'
    dom.contentEditable = 'false'
    dom.append(draw(blockOf(node)))
    return { dom, ignoreMutation: () => true }
  }
}
