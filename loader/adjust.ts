import type { DraftKeeper } from '../widgets/compose/composer.ts'
import type { Options } from './contract.ts'
import { prefill } from './prefill.ts'
import { trim } from './trim.ts'

/** Brings a composer to what its element says: its draft, and the parts that are hidden or fixed. Throws EmbedError. */
export function adjust(composer: Parameters<DraftKeeper>[0], frame: Element, options: Options): void {
  prefill(composer, options)
  const root = frame.firstElementChild?.firstElementChild?.shadowRoot
  if (root) trim(root, options)
}
