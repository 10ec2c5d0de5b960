import type { Design } from '../../../../contract/design/design.ts'
import { renderHtml } from '../../../../mail-design/render-html.ts'
import type { ComposeStore } from '../../compose-types.ts'
import { renderInSlices } from '../render-in-slices.ts'
import { countBlocks } from './document/find.ts'
import { emptyDesign } from './document/new-blocks.ts'

/** Designs of more blocks are rendered a moment after the typing, so that the typing never waits for it. */
const longBlocks = 60
const restMs = 200

/** Writes what is edited to the draft, as a design and as the HTML that it gives. */
export function createDesignWriter(store: ComposeStore) {
  /** Shown while nothing is written. */
  const blank = emptyDesign()
  let waiting: Design | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function settle(): void {
    clearTimeout(timer)
    const design = waiting
    if (design !== null) write(design, htmlOf(design))
  }

  function write(design: Design, messageBody: string): void {
    waiting = null
    store.write({ mode: 'design', design, text: '', messageBody })
  }

  /** As `settle`, without a long task. */
  async function settleBetween(): Promise<void> {
    const design = waiting
    if (design === null) return
    const isWanted = () => waiting === design
    const html = await renderInSlices(design, isWanted).catch(() => store.state.draft.messageBody)
    if (html !== null && isWanted()) write(design, html)
  }

  /** While a variable is half written, the HTML before it stays. */
  function htmlOf(design: Design): string {
    if (design.rows.length === 0) return ''
    try {
      return renderHtml(design)
    } catch {
      return store.state.draft.messageBody
    }
  }

  return {
    /** The design of the draft. */
    read: () => waiting ?? store.state.draft.design ?? blank,
    change: (design: Design): void => {
      if (design === (store.state.draft.design ?? blank)) return
      waiting = design
      clearTimeout(timer)
      if (countBlocks(design) <= longBlocks) settle()
      else timer = setTimeout(() => void settleBetween(), restMs)
    },
    /** Writes what waits at once; returns the undo. */
    begin() {
      store.settle = settle
      return () => {
        settle()
        // The editor of the next mode may be there already.
        if (store.settle === settle) store.settle = undefined
      }
    },
    blank,
  }
}
