import type { FixableField, HideablePart } from '../../widgets/compose/compose-state.ts'
import type { DraftKeeper } from '../../widgets/compose/compose-types.ts'
import { refuse } from './bad-option.ts'
import { compact } from '../element/compact.ts'
import type { Options } from '../contract.ts'
import { hideableParts } from './hideable-parts.ts'
import { keepText } from './persist-draft.ts'
import { prefill } from './prefill.ts'

const fixableFields: readonly FixableField[] = ['from', 'recipients', 'subject', 'body']

/**
 * Applies the options of an element to its widget: the density and, to a composer, the draft, where it is stored, and the
 * parts that are hidden or read-only. `keeper.close` stops the storing. Throws EmbedError.
 */
export function adjust(
  composer: Parameters<DraftKeeper>[0] | undefined,
  frame: HTMLElement,
  options: Options,
  keeper: { close: () => void },
): void {
  const { density = 'compact' } = options
  if (!/^(comfortable|compact)$/.test(density)) throw refuse('density')
  const readonly = namesOf('readonly', options, fixableFields)
  const hide: HideablePart[] = namesOf('hide', options, hideableParts)
  if (readonly.includes('body')) hide.push('snippets')
  // A template would change a field that is read-only.
  if (hide.includes('templates') || readonly.includes('subject') || readonly.includes('body'))
    hide.push('choose-template')
  const root = frame.firstElementChild?.firstElementChild?.shadowRoot
  if (root) compact(frame, root, options)
  // The widget may have been removed while this was loaded.
  if (!composer || !frame.isConnected) return
  composer.set({ hide, readonly })
  const filled = prefill(composer, options)
  void filled.then(() => frame.isConnected && keepText(composer, frame, options, keeper))
}

/** The names that an option lists, with blanks or commas between. Throws EmbedError for one that it does not take. */
function namesOf<Name extends string>(option: 'hide' | 'readonly', options: Options, known: readonly Name[]): Name[] {
  const names = (options[option] ?? known[0] ?? '').split(/[\s,]+/).filter(Boolean) as Name[]
  if (names.length === 0 || !names.every((name) => known.includes(name))) throw refuse(option)
  return options[option] === undefined ? [] : names
}
