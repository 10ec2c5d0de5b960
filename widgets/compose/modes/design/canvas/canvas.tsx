import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type PointerEvent,
} from 'react'
import { useSnapshot } from 'valtio'
import type { Design } from '../../../../../contract/design/design.ts'
import { createSheet } from '../../../../kit/shadow/sheet.ts'
import { useText } from '../../../../kit/text/text.tsx'
import { imageFilesOf } from '../../../images/chosen-image.ts'
import type { DesignStore } from '../design-store.ts'
import { findBlock } from '../document/find.ts'
import { wordsOf } from '../document/words.ts'
import { kinds } from '../kinds.ts'
import { css } from './paper.css'
import { dropAt, followDrag, type DropLine } from './drag.ts'
import { editWords, hasWords } from './edit-words.ts'
import { focusedBeside } from './focus.ts'
import { selectedRange, toggleFormat, type FormatTag, typeOver } from './format.ts'
import { blockKey } from './keys.ts'
import { Painter } from './painter.ts'
import { selectRange } from './select-range.ts'
import { ToolStrip } from './tool-strip.tsx'

const sheet = createSheet(css)

/** Width of the phone preview, in px. */
const phonePx = 375

export interface CanvasProps {
  store: DesignStore
  line: DropLine | null
  onLine: (line: DropLine | null) => void
  /** Takes the element with the drawn mail, for the drop of a block. */
  onHost: (host: HTMLElement | null) => void
}

/** The mail as it is drawn, with the selected block in a frame. Words are edited in place. */
export function Canvas({ store, line, onLine, onHost }: CanvasProps) {
  const t = useText()
  const host = useRef<HTMLDivElement>(null)
  const painter = useRef<Painter | null>(null)
  /** Whether a press selected the block: it stays under the pointer, for a double click. */
  const isPressed = useRef(false)
  const [box, setBox] = useState<{ top: number; left: number; width: number } | null>(null)
  const { design, selected, isEditing, preview, isDark } = useSnapshot(store.state, { sync: true })
  const medium = { isWide: preview === 'desktop', isDark }

  const describe = useEffectEvent((row: HTMLElement) => describeBlocks(row, store.design(), t))
  useLayoutEffect(() => {
    const element = host.current
    if (element === null) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    root.replaceChildren()
    root.adoptedStyleSheets = [sheet()]
    painter.current = new Painter(root, (row) => describe(row))
    store.setCanvas(root)
    onHost(element)
    return () => onHost(null)
  }, [store, onHost])

  const measure = useEffectEvent(() => {
    const element = selected === null ? null : painter.current?.find(selected)
    const frame = host.current?.getBoundingClientRect()
    if (!element || !frame) {
      setBox(null)
      return
    }
    const rect = element.getBoundingClientRect()
    const next = { top: rect.top - frame.top, left: rect.left - frame.left, width: rect.width }
    setBox((known) => (known && JSON.stringify(known) === JSON.stringify(next) ? known : next))
  })
  useLayoutEffect(() => {
    painter.current?.paint(design as Design, medium)
    painter.current?.select(selected)
    measure()
    // oxlint-disable-next-line react/exhaustive-deps -- drawn for these values
  }, [design, selected, preview, isDark, isEditing])
  useEffect(() => {
    const element = host.current
    if (element === null) return
    // Pictures and fonts change the height after the drawing.
    const observer = new ResizeObserver(() => measure())
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useWordEditing(store, painter, selected, isEditing)
  useEffect(() => {
    const isShown = isPressed.current
    isPressed.current = false
    if (selected !== null && !isShown) painter.current?.find(selected)?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  useSelectionFocus(store, painter, host, { design, selected, isEditing })

  const blockOf = (event: { nativeEvent: Event }) => {
    const [target] = event.nativeEvent.composedPath()
    const found = target instanceof Element ? target.closest<HTMLElement>('[data-block], [data-row]') : null
    // In the root of an HTML block there is none.
    return found ?? (target instanceof Node ? (hostIn(target)?.closest<HTMLElement>('[data-block]') ?? null) : null)
  }
  const onPointerDown = (event: PointerEvent) => {
    store.pressedIn('canvas')
    const id = blockOf(event)?.dataset['block']
    if (id === undefined || (isEditing && id === selected)) return
    followDrag(event.nativeEvent, { id }, { store, host: () => host.current, onLine })
  }
  const onClick = (event: { nativeEvent: Event }) => {
    const element = blockOf(event)
    const id = element?.dataset['block'] ?? element?.dataset['row'] ?? null
    if (isEditing && id === selected) return
    const found = id === null ? null : findBlock(store.design(), id)
    if (id !== null && id === selected && found !== null && hasWords(found.block)) store.edit(id)
    else {
      isPressed.current = id !== selected
      store.select(id)
    }
  }
  const onDoubleClick = (event: { nativeEvent: Event }) => {
    const id = blockOf(event)?.dataset['block']
    const found = id === undefined ? null : findBlock(store.design(), id)
    if (found !== null && hasWords(found.block)) store.edit(found.block.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    store.pressedIn('canvas')
    if (isEditing) {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      store.stopEditing()
    } else blockKey(store, event)
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = imageFilesOf(event.clipboardData)
    if (files.length === 0) return
    event.preventDefault()
    store.giveImages(files, null)
  }
  const lineUnder = (event: DragEvent) =>
    event.dataTransfer.types.includes('Files') && host.current
      ? dropAt(host.current, event.clientX, event.clientY)
      : null
  const onDragOver = (event: DragEvent) => {
    const under = lineUnder(event)
    if (under === null) return
    event.preventDefault()
    onLine(under)
  }
  const onDrop = (event: DragEvent) => {
    const under = lineUnder(event)
    onLine(null)
    if (under === null) return
    event.preventDefault()
    store.giveImages(imageFilesOf(event.dataTransfer), under.place)
  }
  return (
    <div className="canvas-place">
      <div className="canvas-frame" style={{ width: preview === 'phone' ? phonePx : undefined }}>
        <div
          ref={host}
          className="canvas"
          role="group"
          aria-label={t('Mail')}
          onPointerDown={onPointerDown}
          onClick={onClick}
          onDoubleClick={onDoubleClick}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onDragOver={onDragOver}
          onDragLeave={() => onLine(null)}
          onDrop={onDrop}
        />
        {line && <div className="drop-line" style={{ left: line.left, top: line.top, width: line.width }} />}
        {box && selected !== null && (
          <ToolStrip
            store={store}
            box={box}
            onDrag={(event) => followDrag(event, { id: selected }, { store, host: () => host.current, onLine })}
          />
        )}
      </div>
    </div>
  )
}

function hostIn(node: Node): Element | null {
  const root = node.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

/** Names each block and makes it focusable by script. */
function describeBlocks(row: HTMLElement, design: Design, t: (text: string) => string): void {
  row.tabIndex = -1
  row.setAttribute('role', 'group')
  row.setAttribute('aria-label', t('Row'))
  for (const element of row.querySelectorAll<HTMLElement>('[data-block]')) {
    const found = findBlock(design, element.dataset['block'] ?? '')
    if (found === null) continue
    element.tabIndex = -1
    element.setAttribute('role', 'group')
    element.setAttribute('aria-label', `${t(kinds[found.block.type].text)}: ${wordsOf(found.block)}`)
  }
}

/** Commands of the keyboard. */
const formatTags: Readonly<Record<string, FormatTag>> = { formatBold: 'b', formatItalic: 'i', formatUnderline: 'u' }

/** Makes the words of the selected block editable while they are edited. */
function useWordEditing(
  store: DesignStore,
  painter: { current: Painter | null },
  selected: string | null,
  isEditing: boolean,
): void {
  useEffect(() => {
    const found = isEditing && selected !== null ? findBlock(store.design(), selected) : null
    const element = selected === null ? null : painter.current?.find(selected)
    if (found === null || !element || !hasWords(found.block) || painter.current === null) return
    const { block, row } = found
    const current = painter.current
    const editing = editWords(element, block, current.canvasSheet(store.design()))
    if (editing === null) return
    const { place } = editing
    current.hold(row.id)
    place.focus()
    moveToEnd(place)
    let isComposing = false
    const read = () => {
      if (!isComposing) store.update(block.id, 'words', () => editing.read())
    }
    const onPaste = (event: globalThis.ClipboardEvent) => {
      if (imageFilesOf(event.clipboardData).length > 0) return // The canvas takes them.
      event.preventDefault()
      const text = event.clipboardData?.getData('text/plain') ?? ''
      // oxlint-disable-next-line typescript/no-deprecated -- nothing else inserts text as typing does
      document.execCommand('insertText', false, text)
    }
    const onBefore = (event: InputEvent) => {
      const tag = formatTags[event.inputType]
      if (tag !== undefined) {
        event.preventDefault()
        const range = selectedRange(store.canvas.root)
        if (range && block.type !== 'button') toggleFormat(range, tag)
      }
      if (event.inputType === 'insertText' && event.data !== null && block.type !== 'button') {
        const range = selectedRange(store.canvas.root)
        if (range && typeOver(range, event.data)) event.preventDefault()
      }
      const isBreak = event.inputType === 'insertParagraph' || event.inputType === 'insertLineBreak'
      if (block.type === 'button' && isBreak) event.preventDefault()
      if (block.type !== 'heading' || event.inputType !== 'insertParagraph') return
      event.preventDefault()
      // oxlint-disable-next-line typescript/no-deprecated -- as above
      document.execCommand('insertLineBreak')
    }
    const onComposing = (event: Event) => {
      isComposing = event.type === 'compositionstart'
      read()
    }
    const onBlur = (event: FocusEvent) => {
      const next = event.relatedTarget
      if (!(next instanceof Element) || next.closest('.tool-strip') === null) store.stopEditing()
    }
    const controller = new AbortController()
    const { signal } = controller
    place.addEventListener('input', read, { signal })
    place.addEventListener('paste', onPaste, { signal })
    place.addEventListener('beforeinput', onBefore, { signal })
    place.addEventListener('compositionstart', onComposing, { signal })
    place.addEventListener('compositionend', onComposing, { signal })
    place.addEventListener('focusout', onBlur, { signal })
    return () => {
      controller.abort()
      current.hold(null)
      current.paint(store.design(), current.shownMedium())
      current.select(store.state.selected)
    }
  }, [store, painter, selected, isEditing])
}

function moveToEnd(place: HTMLElement): void {
  const range = document.createRange()
  range.selectNodeContents(place)
  range.collapse(false)
  selectRange(range)
}

interface Focused {
  /** Drawn again, a block has lost the focus. */
  design: unknown
  selected: string | null
  isEditing: boolean
}

/** Keys reach the selected block: it has the focus unless something outside the canvas has it. */
function useSelectionFocus(
  store: DesignStore,
  painter: { current: Painter | null },
  host: { current: HTMLElement | null },
  { design, selected, isEditing }: Focused,
): void {
  useEffect(() => {
    if (selected === null || isEditing || host.current === null) return
    const active = focusedBeside(host.current)
    const isLost = active === document.body && store.keys.place === 'canvas'
    if (isLost || active?.classList.contains('canvas') === true)
      painter.current?.find(selected)?.focus({ preventScroll: true })
  }, [store, painter, host, design, selected, isEditing])
}
