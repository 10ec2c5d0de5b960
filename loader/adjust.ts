import type { DraftKeeper } from '../widgets/compose/composer.ts'
import { compact } from './compact.ts'
import type { Options } from './contract.ts'
import { prefill } from './prefill.ts'
import { trim } from './trim.ts'

/**
 * Brings a widget to what its element says: its density and, of a composer, the draft and the parts that are hidden or
 * fixed. Throws EmbedError.
 */
export function adjust(composer: Parameters<DraftKeeper>[0] | undefined, frame: HTMLElement, options: Options): void {
  const root = frame.firstElementChild?.firstElementChild?.shadowRoot
  if (root) compact(frame, root, options)
  if (!composer) return
  prefill(composer, options)
  if (root) trim(root, options)
}
