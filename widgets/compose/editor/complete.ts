type Box = HTMLInputElement | HTMLTextAreaElement

/** A merge variable that is being typed: start of its name, caret position, and the text between. */
export interface Opening {
  from: number
  to: number
  typed: string
}

/** The unclosed variable at the caret; null without one. */
export function opening(box: Box): Opening | null {
  const to = box.selectionStart ?? 0
  const before = box.value.slice(Math.max(0, to - 80), to)
  const found = /(?:^|[^\\])\{\{\{?&?\s*([\p{L}\p{N}_.-]*)$/u.exec(before)
  if (found?.[1] === undefined || box.selectionEnd !== to) return null
  return { from: to - found[1].length, to, typed: found[1] }
}

/** Writes the name and its closing braces, through the browser's own editing where it can, so that undo knows of it. */
export function complete(box: Box, { from, to }: Opening, name: string): void {
  const rest = box.value.slice(to)
  const text = /^\s*\}\}/.test(rest) ? name : `${name}}}`
  box.focus()
  box.setSelectionRange(from, to)
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps the undo history of a text box
  if (document.execCommand('insertText', false, text)) return
  box.setRangeText(text, from, to, 'end')
  box.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
}

/** Below the caret, measured on the overlay text exactly behind the control. */
export function placeOf(box: Box | null): { left: string; top: string } {
  const paint = box?.parentElement?.querySelector('.paint')
  const parent = box?.parentElement?.getBoundingClientRect()
  if (!box || !paint || !parent) return { left: '0', top: '100%' }
  const caret = caretBox(paint, box.selectionStart ?? 0)
  if (caret === null) return { left: '0', top: '100%' }
  const left = Math.max(0, Math.min(caret.left - parent.left, parent.width - 200))
  return { left: `${left}px`, top: `${Math.min(caret.bottom - parent.top, parent.height) + 4}px` }
}

function caretBox(paint: Element, offset: number): DOMRect | null {
  const walker = document.createTreeWalker(paint, NodeFilter.SHOW_TEXT)
  let left = offset
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0
    if (left <= length) {
      const range = document.createRange()
      range.setStart(node, Math.max(0, left - 1))
      range.setEnd(node, left)
      return [...range.getClientRects()].at(-1) ?? null
    }
    left -= length
  }
  return null
}
