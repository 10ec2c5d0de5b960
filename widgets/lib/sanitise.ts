import DOMPurify, { type Config } from 'dompurify'
import { cutAttribute } from './cut-attribute.ts'
import { limitDepth } from './limit-depth.ts'
import { ownImages } from './own-images.ts'
import { plainAttributes } from './plain-attributes.ts'

/** Tags that a preview shows (decisions, Sanitising in the compose preview). */
const tags =
  'b i em strong p br ul ol li h1 h2 h3 h4 h5 h6 a span div table thead tbody tfoot tr th td caption colgroup col img'.split(
    ' ',
  )

/** Where styles wait while the HTML is read. */
const asideAttribute = 'data-style'

/** The same object each time: DOMPurify parses another one with each call. */
const config: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: [...plainAttributes, 'href', 'src', asideAttribute, cutAttribute],
  // What is no address is not held against the pattern of addresses.
  ADD_URI_SAFE_ATTR: [...plainAttributes, asideAttribute, cutAttribute],
  // `data:` is not here: DOMPurify lets it through for images alone.
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel|cid):/i,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}
// An image over plain http would be requested in the clear by everyone who opens the message; our own server's is not
// more so than this page.
// Where pages are rendered at build there is no document, and nothing is sanitised.
if (DOMPurify.isSupported) {
  DOMPurify.addHook('uponSanitizeAttribute', (node, data) => {
    const isOpen = node.nodeName === 'IMG' && data.attrName === 'src' && /^\s*http:/i.test(data.attrValue)
    if (isOpen && !data.attrValue.startsWith(ownImages)) data.keepAttr = false
  })
}

/**
 * For the compose preview alone, which keeps styles; a mail is drawn elsewhere in a sandboxed frame (mail-frame.tsx).
 * Other people's HTML as nodes that can be put into the page: only the listed tags, attributes and addresses are left.
 * Nodes, not text: text could not be put in where Trusted Types are enforced. Links open a window of their own. Empty
 * where the HTML has no body, as with a `<frameset>`.
 */
export function sanitise(html: string): DocumentFragment {
  // Its types leave out the null.
  const fragment =
    (DOMPurify.sanitize(setStylesAside(html), config) as DocumentFragment | null) ?? new DocumentFragment()
  limitDepth(fragment)
  for (const element of fragment.querySelectorAll<HTMLElement>(`[${asideAttribute}]`)) reapplyStyle(element)
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  }
  return fragment
}

/**
 * Takes style sheets out, which the sanitiser drops, and renames the style attributes: a page with a strict content policy
 * complains about each one that is read as such. One
 * that is missed here is no danger, for the sanitiser takes it out.
 */
function setStylesAside(html: string): string {
  const withoutSheets = html.replace(/<style\b[^<>]*>[\s\S]*?(?:<\/style\s*>|$)/gi, '')
  return withoutSheets.replace(/<[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi, (tag) =>
    tag.replace(/"[^"]*"|'[^']*'|([\s/])style(?=\s*=)/gi, (found, before?: string) =>
      before === undefined ? found : before + asideAttribute,
    ),
  )
}

/** A mail has the same few styles over and over; what is left of each is known after the first. */
// oxlint-disable-next-line sendwright/module-state -- a cache
const cleanStyles = new Map<string, string>()
const cleanStylesMaxCount = 300

/**
 * Sets a style again through the object model, which a strict content policy allows where it refuses the attribute. What
 * fetches goes: `url()` and its kin, and custom properties, in which one can hide.
 */
function reapplyStyle(element: HTMLElement): void {
  const text = element.getAttribute(asideAttribute) ?? ''
  element.removeAttribute(asideAttribute)
  const { style } = element
  const clean = cleanStyles.get(text)
  style.cssText = clean ?? text
  if (clean !== undefined) return
  // From the last to the first: one that is taken out moves those behind it. A simulated page's style has no iterator.
  for (let index = style.length - 1; index >= 0; index--) {
    const name = style.item(index)
    if (name.startsWith('--') || /url\(|image|src\(|var\(|env\(|attr\(|\\/i.test(style.getPropertyValue(name)))
      style.removeProperty(name)
  }
  if (cleanStyles.size >= cleanStylesMaxCount) cleanStyles.clear()
  cleanStyles.set(text, style.cssText)
}
