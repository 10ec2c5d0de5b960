/**
 * Light or dark, as the colour that is painted behind a widget; '' where none is, so that the page's `color-scheme` decides.
 * It reads the luminance from the browser, which knows every way to write a colour.
 */
export function schemeBehind(frame: HTMLElement): string {
  let scheme = ''
  let at: Node | null | undefined = frame
  for (
    ;
    at && !scheme;
    at = (at as Partial<Element>).assignedSlot ?? at.parentNode ?? (at as Partial<ShadowRoot>).host
  ) {
    if (!(at instanceof Element)) continue
    const { backgroundColor } = getComputedStyle(at)
    frame.style.color = `color-mix(in xyz, ${backgroundColor}, ${backgroundColor})`
    // color(xyz-d65 X Y Z / alpha)
    const [, , y, , , alpha = 1] = getComputedStyle(frame).color.split(' ').map(parseFloat)
    if (alpha > 0.5) scheme = y! < 0.18 ? 'dark' : 'light'
  }
  frame.style.color = ''
  return scheme
}
