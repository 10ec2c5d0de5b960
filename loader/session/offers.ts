/** Shows something below a widget, and returns its undo. */
export type Offer = (frame: HTMLElement) => () => void

/** The offer of a session, such as a sign-in or a refusal with a retry: below each of its widgets, one at a time. */
export function createOffers() {
  /** Widgets that are drawn, each with the undo of the offer below it. */
  const drawn = new Map<HTMLElement, (() => void) | undefined>()
  let offer: Offer | undefined
  const join = (frame: HTMLElement) => {
    drawn.get(frame)?.()
    drawn.set(frame, offer?.(frame))
  }
  return {
    join,
    leave: (frame: HTMLElement) => {
      drawn.get(frame)?.()
      drawn.delete(frame)
    },
    show: (next?: Offer) => {
      offer = next
      for (const frame of drawn.keys()) join(frame)
    },
  }
}
