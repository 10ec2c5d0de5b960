/** Receives a pending navigation. Returns true when it blocks it: it may call `navigate` later. */
type NavigationGuard = (navigate: () => void) => boolean

// oxlint-disable-next-line sendwright/module-state -- a page shows one screen
let guard: NavigationGuard | null = null

/** Sets the guard of the current screen. Returns a function that removes it. */
export function setNavigationGuard(next: NavigationGuard): () => void {
  guard = next
  return () => {
    if (guard === next) guard = null
  }
}

/** Navigates at once, unless the guard blocks it. */
export function navigateWhenAllowed(navigate: () => void): void {
  if (guard?.(navigate) !== true) navigate()
}
