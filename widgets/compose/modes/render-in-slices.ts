import type { Design } from '../../../contract/design/design.ts'
import { renderSteps } from '../../../mail-design/render-html.ts'

/** Longest work at once, in ms: keys and frames come between. */
const sliceMs = 8

/**
 * The HTML of a design, rendered between other tasks of the page; null once `isWanted` no longer holds. Throws
 * MergeSyntaxError as `renderHtml` does.
 */
export async function renderInSlices(design: Design, isWanted: () => boolean): Promise<string | null> {
  const steps = renderSteps(design)
  while (isWanted()) {
    const until = performance.now() + sliceMs
    do {
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return null
}
