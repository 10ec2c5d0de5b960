import type { BodyTools } from '../../compose-types.ts'
import type { SnippetName } from '../../editor/snippets.ts'
import { hasWords } from './canvas/edit-words.ts'
import { selectedRange, toggleFormat } from './canvas/format.ts'
import type { DesignStore } from './design-store.ts'
import { findBlock } from './document/find.ts'

/** The tools of every mode, for the blocks of a mail. `place` is the element of the editor. */
export function createDesignTools(store: DesignStore, place: () => HTMLElement | null): BodyTools {
  /** Id of the selected block if it has words that can be formatted, else of a new one. */
  function words(): string | null {
    const { selected } = store.state
    const found = selected === null ? null : findBlock(store.design(), selected)?.block
    if (!found || !hasWords(found) || found.type === 'button') store.addNew('text')
    return store.state.selected
  }

  function bold(): void {
    const range = store.state.isEditing ? selectedRange(store.canvas.root) : null
    if (range && !range.collapsed) {
      toggleFormat(range, 'b')
      return
    }
    const id = words()
    if (id === null) return
    store.update(id, 'weight', (block) => {
      if (!hasWords(block) || block.type === 'button') return block
      const isBold = block.style?.weight === 700
      return { ...block, style: { ...block.style, weight: isBold ? 400 : 700 } }
    })
  }

  /** Moves the focus to a control of the selected block, once it is drawn. */
  function focus(selector: string): void {
    requestAnimationFrame(() => place()?.querySelector<HTMLElement>(selector)?.focus())
  }

  function colour(): void {
    const { selected } = store.state
    if (selected === null) words()
    focus('.design-inspector .colour-field select')
  }

  function variable(): void {
    const id = store.state.isEditing ? null : words()
    if (id !== null) store.edit(id)
    focus('.tool-strip .variable-menu select')
  }

  const tools: Record<SnippetName, () => void> = {
    Bold: bold,
    Colour: colour,
    Button: () => store.addNew('button'),
    Table: () => store.addNew('table'),
    'Merge variable': variable,
  }
  return { apply: (name) => tools[name]() }
}
