/** The element with the focus in the document or shadow root that an element is in; the body where nothing has it. */
export function focusedBeside(element: Element): Element | null {
  return document.activeElement === document.body
    ? document.body
    : (element.getRootNode() as Document | ShadowRoot).activeElement
}
