import type { Design, Row } from '../../../../../contract/design/design.ts'
import { MergeSyntaxError } from '../../../../../contract/mail/merge-variables.ts'
import { resolveColour } from '../../../../../mail-design/colours.ts'
import { CanvasSheet } from './canvas-sheet.ts'
import { drawRow, type Medium } from './draw-row.ts'

interface DrawnRow {
  row: Row
  element: HTMLElement
}

/** Draws a design into the shadow root of a canvas; rows that did not change keep their nodes. */
export class Painter {
  private readonly paper: HTMLElement
  private readonly styles = new CSSStyleSheet()
  private readonly describe: (row: HTMLElement) => void
  private drawn = new Map<string, DrawnRow>()
  private sheet: CanvasSheet | null = null
  private medium: Medium = { isWide: true, isDark: false }
  private css = ''
  private selected: HTMLElement | null = null
  /** The row whose words are being edited: the browser draws it. */
  private held: string | null = null

  /** `describe` names the parts of a new row for assistive tools. */
  constructor(root: ShadowRoot, describe: (row: HTMLElement) => void) {
    this.describe = describe
    this.paper = document.createElement('div')
    this.paper.className = 'paper'
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, this.styles]
    root.append(this.paper)
  }

  paint(design: Design, medium: Medium): void {
    const isOther = this.sheet?.theme !== design.theme || medium.isWide !== this.medium.isWide
    if (isOther || medium.isDark !== this.medium.isDark) {
      this.drawn = new Map([...this.drawn].filter(([id]) => id === this.held))
      this.sheet = new CanvasSheet(design.theme)
    }
    this.medium = medium
    const { light, dark } = resolveColour('background', 'background-color', design.theme)
    Object.assign(this.paper.style, {
      backgroundColor: medium.isDark ? (dark ?? light) : light,
      colorScheme: medium.isDark ? 'dark' : 'light',
    })
    const before = this.drawn
    this.drawn = new Map(design.rows.map((row) => [row.id, this.draw(row, design, before.get(row.id))]))
    this.place()
    this.adopt()
  }

  private draw(row: Row, design: Design, before: DrawnRow | undefined): DrawnRow {
    if (before !== undefined && (before.row === row || row.id === this.held)) return { ...before, row }
    const sheet = this.sheet ?? new CanvasSheet(design.theme)
    try {
      const element = drawRow(row, design, sheet, this.medium)
      this.describe(element)
      return { row, element }
    } catch (error) {
      if (!(error instanceof MergeSyntaxError)) throw error
      // A variable is half written: the row stays as it was.
      if (before !== undefined) return { ...before, row }
      const element = document.createElement('div')
      element.dataset['row'] = row.id
      return { row, element }
    }
  }

  /** Puts the rows in their order; moves only those that are not there yet. */
  private place(): void {
    let next = this.paper.firstChild
    for (const { element } of this.drawn.values()) {
      if (element === next) next = next.nextSibling
      else this.paper.insertBefore(element, next)
    }
    while (next !== null) {
      const gone = next
      next = next.nextSibling
      gone.remove()
    }
  }

  private adopt(): void {
    const css = this.sheet?.cssFor(this.medium) ?? ''
    if (css === this.css) return
    this.css = css
    this.styles.replaceSync(css)
  }

  /** The sheet that the canvas is drawn with. */
  canvasSheet({ theme }: Pick<Design, 'theme'>): CanvasSheet {
    return (this.sheet ??= new CanvasSheet(theme))
  }

  shownMedium(): Medium {
    return this.medium
  }

  /** The element of a block or row; null if it is not drawn. */
  find(id: string): HTMLElement | null {
    const { selected } = this
    if (selected?.isConnected && selected.dataset['block'] === id) return selected
    return this.drawn.get(id)?.element ?? this.paper.querySelector(`[data-block="${CSS.escape(id)}"]`)
  }

  select(id: string | null): HTMLElement | null {
    const element = id === null ? null : this.find(id)
    if (element !== this.selected) this.selected?.removeAttribute('data-selected')
    this.selected = element
    element?.setAttribute('data-selected', '')
    return element
  }

  /** Leaves a row to the browser while its words are edited; null draws it again. */
  hold(rowId: string | null): void {
    const { held } = this
    this.held = rowId
    if (held !== null && held !== rowId) this.drawn.delete(held)
  }
}
