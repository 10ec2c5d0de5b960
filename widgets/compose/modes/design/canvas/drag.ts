import type { DesignStore, DropPlace } from '../design-store.ts'
import type { BlockKind } from '../document/new-blocks.ts'

/** What is dragged: a block of the mail, or a new one of a kind. */
export type Dragged = { id: string } | { kind: BlockKind }

/** The insertion line in px from the top left of the canvas, and where it inserts. */
export interface DropLine {
  place: DropPlace
  left: number
  top: number
  width: number
}

/** How near the edge of a row a pointer inserts a row of its own, in px. */
const rowEdgePx = 8
/** A press becomes a drag after this way, in px. */
const dragAfterPx = 5

/** Where a block dropped at a point of the window goes; null beside the canvas. */
export function dropAt(host: HTMLElement, x: number, y: number): DropLine | null {
  const root = host.shadowRoot
  const frame = host.getBoundingClientRect()
  if (root === null || x < frame.left || x > frame.right || y < frame.top || y > frame.bottom) return null
  const rows = [...root.querySelectorAll<HTMLElement>('[data-row]')]
  const lineAt = (rect: { left: number; width: number }, top: number, place: DropPlace) => ({
    ...{ place, left: rect.left - frame.left, top: top - frame.top, width: rect.width },
  })
  for (const [rowAt, row] of rows.entries()) {
    const rect = row.getBoundingClientRect()
    if (y < rect.top + rowEdgePx) return lineAt(rect, rect.top, { rowAt })
    if (y > rect.bottom - rowEdgePx && y <= rect.bottom) return lineAt(rect, rect.bottom, { rowAt: rowAt + 1 })
    if (y > rect.bottom) continue
    const column = nearestColumn(row, x, y)
    if (column === null) return lineAt(rect, rect.bottom, { rowAt: rowAt + 1 })
    return inColumn(column, y, (top, place) => lineAt(column.getBoundingClientRect(), top, place))
  }
  const last = rows.at(-1)?.getBoundingClientRect()
  return lineAt(last ?? frame, last?.bottom ?? frame.top + 20, { rowAt: rows.length })
}

/** The column under a point, else the one beside it. */
function nearestColumn(row: HTMLElement, x: number, y: number): HTMLElement | null {
  const columns = [...row.querySelectorAll<HTMLElement>('[data-column]')].filter(
    (column) => column.parentElement?.closest('[data-block]') === null,
  )
  const way = (column: HTMLElement) => {
    const { left, right, top, bottom } = column.getBoundingClientRect()
    return Math.max(left - x, x - right, 0) + Math.max(top - y, y - bottom, 0)
  }
  return columns.sort((one, other) => way(one) - way(other))[0] ?? null
}

function inColumn<Line>(column: HTMLElement, y: number, lineAt: (top: number, place: DropPlace) => Line): Line {
  const [rowId = '', index = '0'] = (column.dataset['column'] ?? '').split(' ')
  const blocks = [...column.querySelectorAll<HTMLElement>('[data-block]')].filter(
    (block) => block.parentElement?.closest('[data-block]') === null,
  )
  const rects = blocks.map((block) => block.getBoundingClientRect())
  const before = rects.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  const at = before < 0 ? rects.length : before
  const top = rects[at]?.top ?? rects.at(-1)?.bottom ?? column.getBoundingClientRect().top + 12
  return lineAt(top, { rowId, column: Number(index), at })
}

/**
 * Follows a press until it is released: after a short way it is a drag, which shows the insertion line and inserts there.
 * Esc ends it without a change.
 */
export function followDrag(
  press: PointerEvent,
  dragged: Dragged,
  parts: { store: DesignStore; host: () => HTMLElement | null; onLine: (line: DropLine | null) => void },
): void {
  const { store, host, onLine } = parts
  if (press.button !== 0) return
  let isDrag = false
  let line: DropLine | null = null
  const controller = new AbortController()
  const { signal } = controller
  const end = () => {
    controller.abort()
    onLine(null)
  }
  const onMove = (event: PointerEvent) => {
    isDrag ||= Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > dragAfterPx
    if (!isDrag) return
    event.preventDefault()
    scrollAtEdge(event.clientY)
    const place = host()
    line = place && dropAt(place, event.clientX, event.clientY)
    onLine(line)
  }
  const onUp = () => {
    end()
    if (!isDrag) return
    // The click at the end of a drag selects and adds nothing.
    const clicked = new AbortController()
    window.addEventListener('click', (event) => event.stopPropagation(), { capture: true, signal: clicked.signal })
    setTimeout(() => clicked.abort())
    if (line === null) return
    if ('id' in dragged) store.move(dragged.id, line.place)
    else store.insertNew(dragged.kind, line.place)
  }
  // Selected words would be dragged by the browser.
  const prevent = (event: Event) => event.preventDefault()
  window.addEventListener('selectstart', prevent, { signal, capture: true })
  window.addEventListener('dragstart', prevent, { signal, capture: true })
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', onUp, { signal })
  window.addEventListener('pointercancel', end, { signal })
  window.addEventListener('keydown', (event) => event.key === 'Escape' && end(), { signal, capture: true })
}

function scrollAtEdge(y: number): void {
  const edge = 60
  if (y < edge) window.scrollBy(0, -16)
  else if (y > window.innerHeight - edge) window.scrollBy(0, 16)
}
