import type { Node } from '@tiptap/pm/model'
import type { Design } from '../../../../contract/design/design.ts'
import { renderHtml } from '../../../../mail-design/render-html.ts'
import type { ComposeStore } from '../../compose-types.ts'
import { isBlank, toDocument, toLetter } from '../rich-text/convert.ts'
import type { RichText } from '../rich-text/editor.ts'

/** Documents from this size on are written a moment after the typing, so that the typing never waits for it. */
const longSize = 5000
const restMs = 200

/** Writes what is edited to the draft, as a design and as the HTML that it gives. */
export function createWriter(store: ComposeStore) {
  let editor: RichText | null = null
  let shown: Design | null = store.state.draft.design
  let waiting: Node | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function settle(): void {
    clearTimeout(timer)
    const doc = waiting
    waiting = null
    if (doc === null) return
    const { draft } = store.state
    shown = isBlank(doc) ? null : toLetter(doc, draft.design)
    store.write({ mode: 'text', design: shown, text: '', messageBody: shown === null ? '' : renderHtml(shown) })
  }

  return {
    begin(mounted: RichText) {
      editor = mounted
      store.settle = settle
    },
    change(doc: Node) {
      waiting = doc
      clearTimeout(timer)
      if (doc.content.size < longSize) settle()
      else timer = setTimeout(settle, restMs)
    },
    /** Shows a design that another part wrote, or a text that was typed before the editor came, such as that of an undone launch. */
    show(design: Design | null, text: string) {
      const { draft } = store.state
      const isLatest = draft.design === design && draft.text === text && draft.mode === 'text'
      if (editor === null || waiting !== null || !isLatest) return
      if (design === null && text !== '') {
        const { length } = text
        const caret = { selectionStart: length, selectionEnd: length, scrollTop: 0, hasFocus: false }
        editor.takeOver({ text, isAdded: false, ...caret })
        return
      }
      if (design === shown) return
      shown = design
      editor.replace(toDocument(design))
    },
    end() {
      settle()
      store.settle = undefined
    },
  }
}

export type Writer = ReturnType<typeof createWriter>
