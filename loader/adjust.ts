import type { DraftKeeper } from '../widgets/compose/composer.ts'
import { compact } from './compact.ts'
import type { Options } from './contract.ts'
import { keepText } from './kept.ts'
import { prefill } from './prefill.ts'
import { trim } from './trim.ts'

/**
 * Brings a widget to what its element says: its density and, of a composer, the draft, where that is kept, and the parts
 * that are hidden or fixed. `keeper.close` ends the keeping. Throws EmbedError.
 */
export function adjust(
  composer: Parameters<DraftKeeper>[0] | undefined,
  frame: HTMLElement,
  options: Options,
  keeper: { close: () => void },
): void {
  const root = frame.firstElementChild?.firstElementChild?.shadowRoot
  if (root) compact(frame, root, options)
  // The widget may have gone while this was fetched.
  if (!composer || !frame.isConnected) return
  const filled = prefill(composer, options)
  void filled.then(() => frame.isConnected && keepText(composer, frame, options, keeper))
  if (root) trim(root, options)
}
