/** Selects a range, in a shadow root too, and gives its editable element the focus. */
export function selectRange({ startContainer, startOffset, endContainer, endOffset }: Range): void {
  const element = startContainer instanceof HTMLElement ? startContainer : startContainer.parentElement
  element?.closest<HTMLElement>('[contenteditable]')?.focus()
  document.getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
}
