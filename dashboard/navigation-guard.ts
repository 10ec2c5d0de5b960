/** A screen's say before it is left for another: it takes `leave` and calls it when it may, or gives false. */
type Guard = (leave: () => void) => boolean

let guard: Guard | null = null

/** Lets the screen that stands be asked before a link leads away from it. Gives its undo. */
export function guardLeaving(own: Guard): () => void {
  guard = own
  return () => {
    if (guard === own) guard = null
  }
}

/** Leaves now, or when the screen says so. */
export function whenFree(leave: () => void): void {
  if (guard?.(leave) !== true) leave()
}
