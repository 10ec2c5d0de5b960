import { useEffect, useId, useLayoutEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { complete, opening, placeOf, type Opening } from './complete.ts'
import { css } from './completion.css'
import type { ComposeStore } from './compose-types.ts'
import { variableNames } from './empty-variables.ts'
import { useMessages } from '../kit/text.tsx'

const sheet = createSheet(css)

type Box = HTMLInputElement | HTMLTextAreaElement

/** Names that most lists have, after those that are known. */
const usual = ['first_name', 'last_name', 'company', 'city']
const namesMaxCount = 8

/**
 * Offers merge variables while `{{` is being typed, below the caret. Arrows choose, Enter and Tab take, Esc closes; the
 * control stays focused, and says which one is chosen (ARIA APG, combobox with a list).
 */
export function Completion({ store, control }: { store: ComposeStore; control: { readonly current: Box | null } }) {
  useSheet(sheet)
  const t = useMessages()
  const { tags, draft } = useSnapshot(store.state)
  const id = useId()
  const [open, setOpen] = useState<Opening | null>(null)
  const [at, setAt] = useState(0)
  const names = open === null ? [] : candidates(open.typed)
  const chosen = Math.min(at, names.length - 1)

  function candidates(typed: string): string[] {
    const columns = Object.keys(draft.recipients.find(({ context }) => context)?.context ?? {})
    const used = variableNames(`${draft.subject} ${draft.messageBody}`)
    const all = [...new Set([...columns, ...tags, ...used, ...usual])].filter((name) => name !== typed)
    const starts = all.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
    return starts.slice(0, namesMaxCount)
  }

  useEffect(() => {
    const box = control.current
    if (box === null) return
    const look = () => {
      setOpen(opening(box))
      setAt(0)
    }
    const shut = () => setOpen(null)
    if (box.matches(':focus')) look() // What was typed while this part was on its way.
    box.addEventListener('input', look)
    box.addEventListener('click', shut)
    box.addEventListener('blur', shut)
    return () => {
      box.removeEventListener('input', look)
      box.removeEventListener('click', shut)
      box.removeEventListener('blur', shut)
    }
  }, [control])

  const isOpen = open !== null && names.length > 0
  const option = (index: number) => `${id}-${index}`
  const take = (name: string | undefined) => {
    if (control.current && open && name !== undefined) complete(control.current, open, name)
    setOpen(null)
  }

  // With the list itself: a key that follows on its sight must find it.
  useLayoutEffect(() => {
    const box: HTMLElement | null = control.current
    if (box === null || !isOpen) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.isComposing) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) setAt((chosen + step + names.length) % names.length)
      else if (event.key === 'Enter' || event.key === 'Tab') take(names[chosen])
      else if (event.key === 'Escape') setOpen(null)
      else {
        if (/^(Arrow|Home|End|Page)/.test(event.key)) setOpen(null)
        return
      }
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    box.addEventListener('keydown', onKeyDown, { capture: true })
    box.setAttribute('aria-autocomplete', 'list')
    box.setAttribute('aria-controls', `${id}-list`)
    box.setAttribute('aria-activedescendant', option(chosen))
    return () => {
      box.removeEventListener('keydown', onKeyDown, { capture: true })
      for (const name of ['controls', 'activedescendant']) box.removeAttribute(`aria-${name}`)
    }
  })

  return (
    <>
      <span className="completion-count" role="status">
        {isOpen ? t('{number} merge variables. Arrows choose, Enter takes.', { number: names.length }) : ''}
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
              aria-selected={index === chosen}
              onPointerDown={(event) => {
                event.preventDefault() // The control keeps the focus.
                take(name)
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
