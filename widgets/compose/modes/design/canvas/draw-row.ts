import type { Design, Row } from '../../../../../contract/design/design.ts'
import { wideScreenMinPx } from '../../../../../contract/design/design.limits.ts'
import { escapeHtml, fillTemplate, isVariable, readTemplate } from '../../../../../contract/mail/merge-variables.ts'
import { renderRow } from '../../../../../mail-design/render-html.ts'
import { cutAttribute } from '../../../../lib/cut-attribute.ts'
import { readMail, readMailPart } from '../../../../lib/mail-nodes.ts'
import type { CanvasSheet } from './canvas-sheet.ts'

/** Screen and scheme for which a canvas draws. */
export interface Medium {
  isWide: boolean
  isDark: boolean
}

/** A row as nodes: blocks have `data-block`, columns `data-column`, variables `data-variable`. Throws on a syntax error. */
export function drawRow(row: Row, { theme }: Pick<Design, 'theme'>, sheet: CanvasSheet, medium: Medium): HTMLElement {
  // A stylesheet of this document can only be adopted in it.
  const body = document.adoptNode(readMailPart(filled(renderRow(row, { theme }, sheet))))
  for (const element of body.querySelectorAll<HTMLElement>(`[${cutAttribute}]`)) {
    const [, kind = '', name = ''] = /^(\w+) (.*)$/.exec(element.getAttribute(cutAttribute) ?? '') ?? []
    element.removeAttribute(cutAttribute)
    if (kind === 'html') drawCode(element, sheet.code.get(name) ?? '', sheet, medium)
    else element.dataset[kind] = name
  }
  const element = document.createElement('div')
  element.dataset['row'] = row.id
  element.append(...body.childNodes)
  return element
}

/** Variables in labels and addresses: their default, else their name. */
function filled(html: string): string {
  const parts = readTemplate(html, () => undefined).map((part) =>
    isVariable(part) ? { ...part, fallback: part.fallback || part.name } : part,
  )
  return fillTemplate(parts, {}, escapeHtml)
}

/** An HTML block in a root of its own: no script runs, no frame loads, and its styles do not leave it. */
function drawCode(place: HTMLElement, code: string, sheet: CanvasSheet, medium: Medium): void {
  const { body, css } = readMail(filled(code))
  const root = place.attachShadow({ mode: 'open' })
  const styles = new CSSStyleSheet()
  styles.replaceSync(forMedium(css, medium) + sheet.cssFor(medium))
  root.adoptedStyleSheets = [styles]
  root.append(...document.adoptNode(body).childNodes)
  place.dataset['code'] = ''
}

/** Conditions on the window as conditions on the canvas. */
function forMedium(css: string, { isWide, isDark }: Medium): string {
  return css
    .replaceAll(`@media only screen and (min-width:${wideScreenMinPx}px)`, isWide ? '@media all' : '@media not all')
    .replace(/@media \(prefers-color-scheme: ?dark\)/g, isDark ? '@media all' : '@media not all')
}
