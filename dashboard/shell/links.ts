/**
 * Handles plain links without a page load, also those in the shadow root of a widget. Screens use `<a href>` and no
 * router. Returns a function that stops it.
 */
export function followLinks(page: Document, go: (path: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    const link = event.composedPath().find((node): node is HTMLAnchorElement => node instanceof HTMLAnchorElement)
    if (link?.target !== '' || link.hasAttribute('download')) return
    const to = new URL(link.href, page.baseURI)
    const isHere = to.pathname === page.location.pathname && to.hash !== ''
    if (to.origin !== page.location.origin || isHere) return
    event.preventDefault()
    go(to.pathname + to.search + to.hash)
  }
  page.addEventListener('click', onClick)
  return () => page.removeEventListener('click', onClick)
}
