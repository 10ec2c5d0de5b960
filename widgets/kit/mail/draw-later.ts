/** How long a picture waits at least, in ms: a row that a search shows for one letter only is gone by then. */
const restMs = 150

// oxlint-disable-next-line sendwright/module-state -- a page draws one frame at a time
const waiting = new Set<() => void>()
// oxlint-disable-next-line sendwright/module-state -- a page draws one frame at a time
let isRunning = false

/**
 * Draws when the page has nothing else to do, one after the other: making a frame takes longer than a key may. Returns its
 * undo.
 */
export function drawLater(draw: () => void): () => void {
  const timer = setTimeout(() => {
    waiting.add(draw)
    if (!isRunning) wait()
  }, restMs)
  return () => {
    clearTimeout(timer)
    waiting.delete(draw)
  }
}

function wait(): void {
  isRunning = true
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(drawNext, { timeout: restMs })
  else setTimeout(drawNext)
}

function drawNext(): void {
  const [draw] = waiting
  isRunning = false
  if (draw === undefined) return
  waiting.delete(draw)
  draw()
  wait()
}
