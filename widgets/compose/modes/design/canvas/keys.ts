import type { KeyboardEvent } from 'react'
import type { DesignStore } from '../design-store.ts'
import { findBlock } from '../document/find.ts'
import { hasWords } from './edit-words.ts'

/** Keys of a selected block, on the canvas and in the list. Keys that do nothing here go on. */
export function blockKey(store: DesignStore, event: KeyboardEvent): void {
  const act = actionOf(store, event)
  if (act === null) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

function actionOf(store: DesignStore, { key, altKey, ctrlKey, metaKey }: KeyboardEvent): (() => void) | null {
  const hasCommand = ctrlKey || metaKey
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null
  if (by !== null) return altKey ? () => store.step(by) : hasCommand ? null : () => store.selectNext(by)
  if (key.toLowerCase() === 'd' && hasCommand) return () => store.duplicate()
  if (hasCommand || altKey) return null
  if (key === 'Delete' || key === 'Backspace') return () => store.remove()
  const { selected } = store.state
  if (selected === null) return null
  if (key === 'Escape') return () => store.selectOuter()
  const found = findBlock(store.design(), selected)
  return (key === 'Enter' || key === 'F2') && found !== null && hasWords(found.block)
    ? () => store.edit(selected)
    : null
}
