import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { complete, opening, placeOf, type Opening } from './complete.ts'
import { css } from './completion.css'
import type { ComposeStore } from '../compose-types.ts'
import { knownNames } from '../variables/known-names.ts'
import { useMessages } from '../../kit/text/text.tsx'

const sheet = createSheet(css)

type Box = HTMLInputElement | HTMLTextAreaElement

interface Shown {
  readonly open: Opening | null
  readonly selected: number
}

/**
 * Offers merge variables while `{{` is being typed, below the caret. Arrows select, Enter and Tab insert, Esc closes; the
 * control keeps the focus and names the active option (ARIA APG, combobox with a list).
 */
export function Completion({ store, control }: { store: ComposeStore; control: { readonly current: Box | null } }) {
  useSheet(sheet)
  const t = useMessages()
  const { tags, draft, audience } = useSnapshot(store.state)
  const id = useId()
  const [shown, setShown] = useState<Shown>({ open: null, selected: 0 })
  // What the next key acts on: keys can be faster than rendering, which in a shadow tree is a task of its own.
  const latest = useRef(shown)
  const show = (open: Opening | null, selected = 0) => {
    latest.current = { open, selected }
    setShown(latest.current)
  }
  const names = shown.open === null ? [] : candidates(shown.open.typed)
  const selected = Math.min(shown.selected, names.length - 1)

  function candidates(typed: string): string[] {
    return knownNames({ draft, tags, audience }, typed)
  }

  useEffect(() => {
    const box = control.current
    if (box === null) return
    const update = () => show(opening(box))
    const close = () => show(null)
    if (box.matches(':focus')) update() // Text may have been typed while this part loaded.
    box.addEventListener('input', update)
    box.addEventListener('click', close)
    box.addEventListener('blur', close)
    return () => {
      box.removeEventListener('input', update)
      box.removeEventListener('click', close)
      box.removeEventListener('blur', close)
    }
  }, [control])

  const isOpen = names.length > 0
  const option = (index: number) => `${id}-${index}`
  const insert = (open: Opening | null, name: string | undefined) => {
    if (control.current && open && name !== undefined) complete(control.current, open, name)
    show(null)
  }

  // In the same commit as the list: the first key after it appears has to find the listener.
  useLayoutEffect(() => {
    const box: HTMLElement | null = control.current
    if (box === null || !isOpen) return
    const onKeyDown = (event: KeyboardEvent) => {
      const { open, selected } = latest.current
      const offered = open === null ? [] : candidates(open.typed)
      if (offered.length === 0 || event.ctrlKey || event.metaKey || event.isComposing) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) show(open, (selected + step + offered.length) % offered.length)
      else if (event.key === 'Enter' || event.key === 'Tab') insert(open, offered[selected])
      else if (event.key === 'Escape') show(null)
      else {
        if (/^(Arrow|Home|End|Page)/.test(event.key)) show(null)
        return
      }
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    box.addEventListener('keydown', onKeyDown, { capture: true })
    box.setAttribute('aria-autocomplete', 'list')
    box.setAttribute('aria-controls', `${id}-list`)
    box.setAttribute('aria-activedescendant', option(selected))
    return () => {
      box.removeEventListener('keydown', onKeyDown, { capture: true })
      for (const name of ['controls', 'activedescendant']) box.removeAttribute(`aria-${name}`)
    }
  })

  return (
    <>
      <span className="hidden-text" role="status">
        {isOpen
          ? t('{number} merge variables. Choose with the arrow keys, insert with Enter.', { number: names.length })
          : ''}
      </span>
      {isOpen && (
        <ul
          className="completion"
          role="listbox"
          id={`${id}-list`}
          aria-label={t('Merge variables')}
          style={placeOf(control.current)}
        >
          {names.map((name, index) => (
            <li
              key={name}
              id={option(index)}
              role="option"
              aria-selected={index === selected}
              onPointerDown={(event) => {
                event.preventDefault() // The control keeps the focus.
                insert(shown.open, name)
              }}
            >
              {name}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
