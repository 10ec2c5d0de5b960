import type { DesignStore } from '../design-store.ts'
import { selectRange } from './select-range.ts'

/** Tags of the formats that a person can switch on and off. */
export type FormatTag = 'b' | 'i' | 'u' | 'a'

/** Chromium has a selection for each shadow root. */
type SelectingRoot = ShadowRoot & { getSelection?: () => Selection | null }

/** The range of words that is selected in a canvas; null if nothing in it is. */
export function selectedRange(root: SelectingRoot | null): Range | null {
  const selection = root?.getSelection?.() ?? document.getSelection()
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0).cloneRange() : null
  return range?.startContainer.getRootNode() === root ? range : null
}

/** The element whose words are edited around a range. */
export function placeOf({ startContainer }: Range): HTMLElement | null {
  const element = startContainer instanceof Element ? startContainer : startContainer.parentElement
  return element?.closest<HTMLElement>('[contenteditable=true]') ?? null
}

/**
 * Puts the selected words into an element, or takes them out of the ones that they are in. The browser's own command
 * would write style attributes, which a strict content policy refuses. An empty `href` takes a link away.
 */
export function toggleFormat(range: Range, tag: FormatTag, href?: string): void {
  const place = placeOf(range)
  if (place === null || range.collapsed) return
  const texts = textsIn(range)
  const around = texts.flatMap((text) => text.parentElement?.closest<HTMLElement>(tag) ?? [])
  const found = around.filter((element) => place.contains(element))
  for (const element of new Set(found)) element.replaceWith(...element.childNodes)
  if (tag === 'a' ? href !== '' : found.length < texts.length) {
    for (const text of texts) {
      const element = document.createElement(tag)
      if (href !== undefined) element.setAttribute('href', href)
      text.replaceWith(element)
      element.append(text)
    }
  }
  const [first, last] = [texts[0], texts.at(-1)]
  if (first !== undefined && last !== undefined) {
    const next = document.createRange()
    next.setStart(first, 0)
    next.setEnd(last, last.length)
    selectRange(next)
  }
  place.dispatchEvent(new InputEvent('input'))
}

/**
 * Types over the selected words; false if none are selected. The browser's own way would keep their look in style attributes,
 * which a strict content policy refuses.
 */
export function typeOver(range: Range, typed: string): boolean {
  const place = placeOf(range)
  if (place === null || range.collapsed) return false
  const within = (selector: string) =>
    [...place.querySelectorAll(selector)].filter((element) => range.intersectsNode(element))
  const holders = within('p, li')
  const chips = within('[data-variable]')
  const texts = textsIn(range).filter((text) => !chips.some((chip) => chip.contains(text)))
  const text = texts[0] ?? new Text()
  if (texts[0] === undefined) {
    if (chips[0] === undefined) return false
    chips[0].before(text)
  }
  for (const gone of [...chips, ...texts.slice(1)]) gone.remove()
  text.data = typed
  for (const holder of holders) if (holder.textContent === '') holder.remove()
  const caret = document.createRange()
  caret.setStart(text, text.length)
  selectRange(caret)
  place.dispatchEvent(new InputEvent('input'))
  return true
}

/** The texts of a range, cut at its ends. */
function textsIn(range: Range): Text[] {
  const { startContainer, startOffset, endContainer, endOffset, commonAncestorContainer: root } = range
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  if (root instanceof Text) found.push(root)
  while (walker.nextNode()) if (range.intersectsNode(walker.currentNode)) found.push(walker.currentNode as Text)
  return found
    .map((text) => {
      if (text === endContainer) text.splitText(endOffset)
      return text === startContainer ? text.splitText(startOffset) : text
    })
    .filter((text) => text.data !== '')
}

/** Puts a chip in the place of the selected words. */
export function insertChip({ canvas }: Pick<DesignStore, 'canvas'>, chip: HTMLElement): void {
  const range = selectedRange(canvas.root)
  const place = range && placeOf(range)
  if (!range || !place) return
  range.deleteContents()
  range.insertNode(chip)
  range.setStartAfter(chip)
  range.collapse(true)
  selectRange(range)
  place.dispatchEvent(new InputEvent('input'))
}
