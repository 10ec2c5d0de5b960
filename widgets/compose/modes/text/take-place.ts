import { EditorState } from '@tiptap/pm/state'
import { proxy, ref, subscribe } from 'valtio/vanilla'
import type { MessageId } from '../../../lib/messages/messages-es.ts'
import type { Translate } from '../../../lib/messages/messages.ts'
import type { ComposeStore } from '../../compose-types.ts'
import { imageFilesOf } from '../../images/chosen-image.ts'
import { insertBlock, toggle } from '../rich-text/commands.ts'
import { toDocument } from '../rich-text/convert.ts'
import { mountRichText, type EditorLook, type RichText } from '../rich-text/editor.ts'
import { schema } from '../rich-text/schema.ts'
import { drawBlock } from './draw-block.ts'
import { newButton, newTable } from './new-blocks.ts'
import type { TextState, TextTools } from './text-tools.ts'
import type { Writer } from './writer-store.ts'

const noFiles: readonly File[] = ref([])
const emptyLook: EditorLook = { selected: null, formats: [], canUndo: false, canRedo: false }

/** The tools of an editor that `mountOver` puts into place. */
export interface HeldTools extends TextTools {
  hold: (editor: RichText | null) => void
}

export function createTools(t: Translate<MessageId>): HeldTools {
  const state = proxy<TextState>({ look: ref(emptyLook), panel: null, code: null, files: noFiles, problem: null })
  let editor: RichText | null = null
  const tools: HeldTools = {
    state,
    hold(next) {
      editor = next
    },
    run: (command) => editor?.run(command),
    now() {
      return editor ? [editor.view.state, editor.view.dispatch] : [EditorState.create({ schema })]
    },
    open(panel) {
      state.panel = state.panel === panel ? null : panel
    },
    close() {
      Object.assign(state, { panel: null, code: null, files: noFiles, problem: null })
    },
    finish(command) {
      tools.close()
      tools.run(command)
    },
    apply(name) {
      if (name === 'Bold') tools.run(toggle('b'))
      else if (name === 'Button') tools.run(insertBlock(newButton(t)))
      else if (name === 'Table') tools.run(insertBlock(newTable(t)))
      else tools.open(name === 'Colour' ? 'colour' : 'variables')
    },
  }
  return tools
}

/**
 * Puts the editor in the place of a text box, in one step that takes over its text, caret, selection, focus and scroll
 * position; while an input method composes or the message is being sent, after that. Returns the undo.
 */
export function mountOver(
  box: HTMLTextAreaElement,
  host: HTMLElement,
  {
    store,
    tools,
    writer,
    t,
    isComposing,
    onReady,
  }: {
    store: ComposeStore
    tools: HeldTools
    writer: Writer
    t: Translate<MessageId>
    isComposing: boolean
    onReady: () => void
  },
): () => void {
  const { state } = tools
  let editor: RichText | null = null
  const label = t('Message body')
  const start = () => {
    const root = box.getRootNode() as Document | ShadowRoot
    editor = mountRichText(host, {
      doc: toDocument(store.state.draft.design),
      label,
      placeholder: t('Write your message.'),
      isReadOnly: store.state.readonly.includes('body'),
      drawBlock: (block) => drawBlock(block, t),
      onChange: (doc) => writer.change(doc),
      onLook(look) {
        state.look = ref(look)
      },
      onCode(code) {
        state.code = code
      },
      onTooLong() {
        state.problem = t('The text is too long to paste. Paste it in parts of up to 200,000 characters.')
      },
      onFiles(files) {
        const images = imageFilesOf(files)
        if (images.length > 0) Object.assign(state, { panel: 'image', files: ref(images) })
        return images.length > 0
      },
    })
    tools.hold(editor)
    writer.begin(editor)
    const hasFocus = root.activeElement === box
    const { selectionStart, selectionEnd, scrollTop } = box
    const isAdded = store.state.draft.design !== null
    editor.takeOver({ text: box.value, isAdded, selectionStart, selectionEnd, scrollTop, hasFocus })
    box.style.display = 'none'
    box.removeAttribute('aria-label')
    onReady()
  }
  const isSending = () => store.state.status === 'sending'
  let stop: (() => void) | undefined
  // Until then the text of the box decides what was typed since the launch.
  const startUnlessSending = () => {
    if (isSending()) stop ??= subscribe(store.state, startUnlessSending)
    else {
      stop?.()
      start()
    }
  }
  if (isComposing) box.addEventListener('compositionend', startUnlessSending, { once: true })
  else startUnlessSending()
  return () => {
    box.removeEventListener('compositionend', startUnlessSending)
    stop?.()
    writer.end()
    editor?.destroy()
    tools.hold(null)
    box.style.display = ''
    box.setAttribute('aria-label', label)
  }
}
