/** Room between a dialog and what it must not reach, in px. */
const margin = 16

/**
 * Puts a dialog, before it is shown, where the person looks: in a frame that is taller than the screen, its middle is out of
 * sight. That is at the control that has the focus, since it was pressed, and within what the browser says can be seen.
 */
export async function placeDialog(dialog: HTMLDialogElement): Promise<void> {
  const opener = focused(document)
  const seen = await visiblePart()
  if (seen.height >= window.innerHeight - 1) return
  const room = Math.min(seen.height, window.screen.height) - 2 * margin
  dialog.style.maxHeight = `${room}px`
  dialog.style.marginTop = '0'
  // What is not shown has no size: it is measured where nothing of it can be seen.
  Object.assign(dialog.style, { display: 'block', visibility: 'hidden' })
  const height = dialog.offsetHeight
  Object.assign(dialog.style, { display: '', visibility: '' })
  const box = opener?.getBoundingClientRect()
  const middle = box && box.height > 0 ? box.top + box.height / 2 : seen.top + seen.height / 2
  const highest = seen.top + margin
  const lowest = Math.max(highest, seen.bottom - margin - height)
  dialog.style.top = `${Math.min(Math.max(middle - height / 2, highest), lowest)}px`
}

/** The focused control, in any shadow root. */
function focused(root: DocumentOrShadowRoot): Element | null {
  const { activeElement } = root
  if (activeElement === null || activeElement === document.body) return null
  return activeElement.shadowRoot ? focused(activeElement.shadowRoot) : activeElement
}

/** The visible part of this page, in its own coordinates: across origins only an observer gets it. */
function visiblePart(): Promise<DOMRectReadOnly> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect()
      if (entry === undefined) return
      const { intersectionRect, boundingClientRect } = entry
      resolve(intersectionRect.height > 0 ? intersectionRect : boundingClientRect)
    })
    observer.observe(document.documentElement)
  })
}
