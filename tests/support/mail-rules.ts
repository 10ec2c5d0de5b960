import { Window, type Document, type Element, type HTMLElement } from 'happy-dom'

/**
 * The faults of a mail's HTML, by the limits of mail clients: a sentence for each fault, none for a valid mail.
 * Sources: caniemail.com for the clients' support, Gmail's limits for sizes.
 */
export function mailFaults(html: string): string[] {
  const window = new Window()
  try {
    const document = new window.DOMParser().parseFromString(html, 'text/html')
    const elements = [...document.querySelectorAll('*')]
    return [
      ...sizeFaults(html),
      ...headFaults(html, document),
      ...styleSheetFaults(document),
      ...elements.flatMap(elementFaults),
      ...outlineFaults(document),
      ...textFaults(document),
      ...imageFaults(document),
      ...linkFaults(document),
    ]
  } finally {
    window.close()
  }
}

/** Gmail clips at 102 kB; content added on the way (tracking, longer values) needs space. */
const bodyMaxBytes = 60_000
/** Gmail drops a longer style block, and every one after it. */
const styleSheetsMaxChars = 8192

function sizeFaults(html: string): string[] {
  const bytes = Buffer.byteLength(html)
  return bytes < bodyMaxBytes ? [] : [`It is ${bytes} bytes long`]
}

function headFaults(html: string, document: Document): string[] {
  const faults: string[] = []
  const root = document.documentElement
  if (!/^<!doctype html>/i.test(html)) faults.push('It has no doctype: Outlook on the web falls into quirks')
  if (!/^[a-z]{2}\b/.test(root.getAttribute('lang') ?? '')) faults.push('<html> has no language')
  if (!root.hasAttribute('dir')) faults.push('<html> has no direction')
  if ((document.querySelector('title')?.textContent ?? '').trim() === '') faults.push('It has no title')
  for (const name of ['viewport', 'color-scheme', 'supported-color-schemes'])
    if (document.querySelector(`meta[name="${name}"]`) === null) faults.push(`It has no <meta name="${name}">`)
  return faults
}

const unreadCss =
  /display:\s*(?:inline-)?(?:flex|grid)|position:\s*(?:absolute|fixed|sticky)|grid-template|flex-direction|@import|@font-face|url\(|var\(|calc\(|clamp\(|expression\(/i

function styleSheetFaults(document: Document): string[] {
  const css = [...document.querySelectorAll('style')].map((style) => style.textContent).join('')
  const faults: string[] = []
  if (css.length > styleSheetsMaxChars) faults.push(`Its style blocks are ${css.length} characters long`)
  const unread = unreadCss.exec(css)
  if (unread) faults.push(`A style block says ${unread[0]}`)
  if (!/\(prefers-color-scheme:\s*dark\)/.test(css) && !isDark(document.body))
    faults.push('It has no colours for dark mode')
  return faults
}

/** A dark mail needs no second palette. */
function isDark(body: HTMLElement): boolean {
  const colour = body.getAttribute('bgcolor') ?? '#ffffff'
  const [red = 255, green = 255, blue = 255] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
  return (red + green + blue) / 3 < 40
}

const forbiddenElements =
  'script,link,iframe,object,embed,form,input,select,textarea,button,svg,video,audio,canvas,base'

function elementFaults(element: Element): string[] {
  const faults: string[] = []
  const tag = element.tagName.toLowerCase()
  const style = element.getAttribute('style') ?? ''
  if (element.matches(forbiddenElements)) faults.push(`<${tag}> is no part of a mail`)
  const unread = unreadCss.exec(style)
  if (unread) faults.push(`<${tag}> says ${unread[0]}`)
  for (const name of element.getAttributeNames())
    if (name.startsWith('on')) faults.push(`<${tag}> has an attribute ${name}`)
  if (tag === 'table') {
    if (element.getAttribute('role') !== 'presentation') faults.push('A <table> for layout has no role="presentation"')
    // A button or a badge is as wide as its text.
    const needed = ['border', 'cellpadding', 'cellspacing', ...(isOneCell(element) ? [] : ['width'])]
    for (const name of needed) if (!element.hasAttribute(name)) faults.push(`A <table> has no attribute ${name}`)
  }
  if (!(element.getAttribute('background') ?? '{{').startsWith('{{'))
    faults.push(`<${tag}> has a background from somebody else’s server`)
  if (/(?:^|;)\s*width:\s*\d/.test(style) && element.matches('table,td,img') && !element.hasAttribute('width'))
    faults.push(`<${tag}> has a width in its style but no attribute`)
  if (
    /(?:^|;)\s*background(?:-color)?:\s*#/.test(style) &&
    element.matches('table,td') &&
    !element.hasAttribute('bgcolor')
  )
    faults.push(`<${tag}> has a background in its style but no attribute bgcolor`)
  return faults
}

function isOneCell(table: Element): boolean {
  const [cell, ...others] = table.querySelectorAll('td')
  return others.length === 0 && cell?.textContent.trim() !== ''
}

/** Screen readers navigate by headings. */
function outlineFaults(document: Document): string[] {
  const levels = [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(({ tagName }) => Number(tagName.slice(1)))
  const faults: string[] = []
  if (levels.filter((level) => level === 1).length !== 1) faults.push('It has not exactly one <h1>')
  levels.forEach((level, at) => {
    const before = levels[at - 1] ?? 0
    if (level > before + 1) faults.push(`An <h${level}> follows an <h${before}>`)
  })
  return faults
}

/** Text keeps its style when style blocks are dropped: colour, size and family are in style attributes. */
function textFaults(document: Document): string[] {
  const faults = new Set<string>()
  for (const element of document.body.querySelectorAll('*')) {
    const words = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ textContent }) => textContent)
    if (words.join('').trim() === '' || isHidden(element)) continue
    const shown = words.join('').trim().slice(0, 30)
    for (const property of ['color', 'font-family', 'font-size'])
      if (inlineValue(element, property) === null) faults.add(`“${shown}” has no ${property} in a style attribute`)
    const size = Number.parseFloat(inlineValue(element, 'font-size') ?? '16')
    if (size > 0 && size < 11 && element.closest('[aria-hidden="true"]') === null)
      faults.add(`“${shown}” is ${size} px small`)
  }
  return [...faults]
}

function isHidden(element: Element): boolean {
  return element.closest('[style*="display:none"]') !== null
}

function inlineValue(element: Element, property: string): string | null {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const style = at.getAttribute('style') ?? ''
    const found = new RegExp(`(?:^|;)\\s*${property}:\\s*([^;]+)`).exec(style)
    if (found?.[1] !== undefined) return found[1]
  }
  return null
}

/** Mail clients block pictures by default, and they are the sender's own: their content is in the alt text. */
function imageFaults(document: Document): string[] {
  return [...document.querySelectorAll('img')].flatMap((image) => {
    const faults: string[] = []
    if (!image.hasAttribute('alt')) faults.push('An <img> has no alt text')
    if (!image.hasAttribute('width')) faults.push('An <img> has no attribute width')
    if (!(image.getAttribute('src') ?? '').startsWith('{{')) faults.push('An <img> comes from somebody else’s server')
    return faults
  })
}

function linkFaults(document: Document): string[] {
  return [...document.querySelectorAll('a')].flatMap((link) => {
    const href = link.getAttribute('href') ?? ''
    const words = link.textContent.trim()
    const faults: string[] = []
    if (!href.startsWith('{{') && !href.startsWith('https://example.com/'))
      faults.push(`The link “${words}” leads to somebody’s real address, or nowhere`)
    if (words === '') faults.push('A link has no words')
    if (/^(?:click here|here|link|more)$/i.test(words)) faults.push(`The link “${words}” does not say where it leads`)
    return faults
  })
}
