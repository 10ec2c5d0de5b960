import DOMPurify, { type Config } from 'dompurify'
import { cutAttribute, linkMarkAttribute } from './cut-attribute.ts'
import { limitDepth } from './limit-depth.ts'
import { ownImages } from './own-images.ts'
import { plainAttributes } from './plain-attributes.ts'

/** A stranger's mail as nodes and one stylesheet, to be put into a frame that runs no script. */
export interface MailNodes {
  /** One element in the place of the mail's body. */
  body: HTMLElement
  css: string
}

/** Where styles wait while the HTML is read: a page with a strict content policy complains of each it reads as such. */
const aside = 'data-mail-style'

const config: Config & { RETURN_DOM: true } = {
  USE_PROFILES: { html: true },
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true,
  FORBID_TAGS: 'audio video source track picture form input button select textarea option dialog details'.split(' '),
  FORBID_ATTR: 'srcset background poster ping name usemap action formaction autofocus popover style'.split(' '),
  ADD_ATTR: [aside, cutAttribute, linkMarkAttribute],
  // What is no address is not held against the pattern of addresses.
  ADD_URI_SAFE_ATTR: [
    ...plainAttributes,
    ...'clear color dir face hspace lang nowrap size span start type vspace'.split(' '),
    aside,
    cutAttribute,
    linkMarkAttribute,
  ],
  // `data:` is not here: DOMPurify lets it through for images alone.
  // Over plain http, only images of our own server are kept, below.
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel|cid):/i,
  ALLOW_DATA_ATTR: false,
}

/**
 * Reads a mail for a sandboxed frame: unlike the compose preview it keeps style sheets and classes, because the frame keeps
 * them to itself. Nothing in it can run, no link leads away, and only pictures over https are ever fetched.
 */
export function readMail(html: string): MailNodes {
  const { text, css } = takeSheets(html)
  // Null, or without a body, where the mail has a `<frameset>` in the body's place.
  const page = DOMPurify.sanitize(setStylesAside(text), config) as HTMLElement | null
  const body = page?.querySelector('body') ?? document.createElement('body')
  if (!page?.contains(body)) body.append('This HTML has no preview.')
  limitDepth(body)
  for (const element of [body, ...body.querySelectorAll<HTMLElement>(`[${aside}]`)]) {
    const style = element.getAttribute(aside)
    if (style === null) continue
    element.removeAttribute(aside)
    element.style.cssText = withoutAddresses(style)
    // An empty one is complained of when it moves into the frame.
    if (element.style.length === 0) element.removeAttribute('style')
  }
  for (const picture of body.querySelectorAll('img')) {
    const source = picture.getAttribute('src') ?? ''
    if (!/^(?:https:|data:image\/)/i.test(source) && !source.startsWith(ownImages)) picture.removeAttribute('src')
  }
  // A link would navigate the frame: its target is shown instead.
  for (const link of body.querySelectorAll('[href]')) {
    const own = link.getAttribute('title') ?? ''
    const target = link.getAttribute('href') ?? ''
    link.setAttribute('title', own === '' ? target : `${own} (${target})`)
    link.removeAttribute('href')
  }
  return { body, css }
}

/** As `readMail`, a part of a mail's body without style sheets of its own. */
export function readMailPart(html: string): HTMLElement {
  return readMail(`<body>${html}`).body // Without the tag, blanks at its beginning would be lost.
}

/** Style sheets are read from the text: as elements, a strict content policy would refuse them. */
function takeSheets(html: string): { text: string; css: string } {
  const sheets: string[] = []
  // What never closes goes on to the end, as parsers read it too: nothing is looked through twice.
  const text = html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<style\b[^<>]*>([\s\S]*?)(?:<\/style\s*>|$)/gi, (_, sheet: string) => {
      sheets.push(withoutAddresses(sheet))
      return ''
    })
  return { text, css: sheets.join('\n') }
}

/** Renames style attributes. One that is missed here is no danger, for the sanitiser takes it out. */
function setStylesAside(html: string): string {
  return html.replace(/<[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*>/gi, (tag) =>
    tag.replace(/"[^"]*"|'[^']*'|([\s/])style(?=[\s=/>])/gi, (found, before?: string) =>
      before === undefined ? found : before + aside,
    ),
  )
}

/** Takes out whatever in a style would be fetched. A backslash can spell `url` otherwise, and no mail needs one. */
function withoutAddresses(css: string): string {
  return css
    .replaceAll('\\', '')
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/@(?:import|namespace|charset)[^;}]*;?/gi, '')
    .replace(/@font-face\s*\{[^}]*\}?/gi, '')
    .replace(/(?:url|image-set|image|src|cross-fade|element)\s*\([^)]*\)?/gi, 'none')
}
