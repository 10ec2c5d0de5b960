/** A widget that waits for a sign-in. */
interface Place {
  frame: Element
  /** Shows the bar there; returns its undo. */
  show: () => () => void
}

/** Widgets of the page that wait for a sign-in, of all sessions; one of them shows the bar. */
const places = new Map<Element, Place>()
const inView = new Set<Element>()
let shown: { frame: Element; hide: () => void } | null = null

const sight = new IntersectionObserver((records) => {
  for (const { target, isIntersecting } of records) inView[isIntersecting ? 'add' : 'delete'](target)
  settle()
})

/** Offers a sign-in in a widget, as long as none that can be seen offers it: a page has one bar. Returns the undo. */
export function offerOnce(frame: Element, show: () => () => void): () => void {
  const place = { frame, show }
  places.set(frame, place)
  sight.observe(frame)
  settle()
  return () => {
    if (places.get(frame) !== place) return
    places.delete(frame)
    inView.delete(frame)
    sight.unobserve(frame)
    settle()
  }
}

/** Moves the bar only where it has gone, or cannot be seen while another place can. */
function settle(): void {
  const all = [...places.values()]
  const own = all.find(({ frame }) => frame === shown?.frame)
  const next = own && inView.has(own.frame) ? own : (all.find(({ frame }) => inView.has(frame)) ?? own ?? all[0])
  if (next?.frame === shown?.frame) return
  shown?.hide()
  shown = next ? { frame: next.frame, hide: next.show() } : null
}
