import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { ellipsis } from '../../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { possibleMoves, type Move } from './edit-draft.ts'
import type { Part } from './rule-draft.ts'
import type { SegmentStore } from './segment-store.ts'

const moveTexts: Record<Move, string> = {
  up: 'Move up',
  down: 'Move down',
  into_above: 'Move into the group above',
  into_below: 'Move into the group below',
}

/** What can be done with a row or a group. Arrow keys move, Esc closes. */
export function RuleMenu({
  store,
  part,
  name,
  isOutermost = false,
}: {
  store: SegmentStore
  part: Part
  /** Of the row or group, for assistive tools. */
  name: string
  isOutermost?: boolean
}) {
  const t = useText()
  const [isOpen, setIsOpen] = useState(false)
  const place = useRef<HTMLSpanElement>(null)
  const id = useId()
  const button = () => place.current?.querySelector<HTMLElement>('[data-control="menu"]')
  useEffect(() => {
    if (!isOpen) return
    place.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && place.current?.contains(event.target) !== true) setIsOpen(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen])
  const { key, kind, isNegated } = part
  const negate = () =>
    kind === 'row' ? store.changeRow(key, { isNegated: !isNegated }) : store.changeGroup(key, { isNegated: !isNegated })
  const items = [
    ...(isOpen ? possibleMoves(store.state.root, key) : []).map((move) => ({
      text: t(moveTexts[move]),
      act: () => store.move(key, move),
    })),
    { text: isNegated ? t('Remove “not”') : t('Add “not”'), act: negate },
    ...(isOutermost ? [] : [{ text: t('Remove'), act: () => store.remove(key) }]),
  ]
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') setIsOpen(false)
    if (event.key === 'Escape') {
      setIsOpen(false)
      button()?.focus()
    }
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
    const at = all.findIndex((item) => item === document.activeElement)
    const next = { ArrowDown: (at + 1) % all.length, ArrowUp: (at - 1 + all.length) % all.length, Home: 0, End: -1 }[
      event.key
    ]
    if (next === undefined) return
    event.preventDefault()
    all.at(next)?.focus()
  }
  return (
    <span className="rule-menu" ref={place}>
      <Button
        kind="quiet"
        size="small"
        icon={ellipsis}
        data-control="menu"
        aria-label={t('Actions of {name}', { name })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <div className="rule-menu-items" role="menu" id={id} aria-label={name} onKeyDown={onKeyDown}>
          {items.map(({ text, act }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                setIsOpen(false)
                button()?.focus()
                act()
              }}
            >
              {text}
            </button>
          ))}
        </div>
      )}
    </span>
  )
}
