import type { Mode } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'

/** The modes that a composer offers, in the order of its switch. */
export const offeredModes = ({ loadDesign }: Pick<ComposeStore, 'loadDesign'>): readonly Mode[] =>
  loadDesign ? ['text', 'design', 'html'] : ['text', 'html']
