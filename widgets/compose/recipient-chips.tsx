import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '../kit/icon.tsx'
import { x } from '../kit/icons.ts'
import { createSheet, useSheet } from '../kit/sheet.ts'
import type { ComposeStore } from './compose-store.ts'
import { css } from './recipient-chips.css'

const sheet = createSheet(css)

/** How many entries stand open before the rest folds away, and at most once it is unfolded. */
const foldedCount = 5
const unfoldedMaxCount = 1000
/** Of how many marked entries the reason is written out. */
const reasonsCount = 3

export interface RecipientChipsProps {
  store: ComposeStore
  /** Id of the list of reasons, which describes the recipients box. */
  noteId: string
  /** The button that had the focus is gone. */
  onRemoved: () => void
}

/** The entries, those that are no address marked; a long list folds, its marked entries stay in sight. */
export function RecipientChips({ store, noteId, onRemoved }: RecipientChipsProps) {
  useSheet(sheet)
  const { draft } = useSnapshot(store.state, { sync: true })
  const [view, setView] = useState<'folded' | 'unfolded'>('folded')
  const numbered = draft.recipients.map((recipient, at) => ({ ...recipient, at }))
  const marked = numbered.filter(({ problem }) => problem !== null)
  const openCount = view === 'folded' && numbered.length > foldedCount + 1 ? foldedCount : unfoldedMaxCount
  const shown = numbered.filter(({ problem, at }) => at < openCount || (problem !== null && at < unfoldedMaxCount))
  const moreCount = numbered.length - shown.length
  return (
    <>
      {shown.map(({ text, problem, at }) => (
        <span
          key={at}
          className={problem === null ? 'chip' : 'chip marked'}
          title={problem === null ? text : `${text} ${problem}`}
        >
          <span>{text}</span>
          <button
            type="button"
            aria-label={`Remove ${text}`}
            onClick={() => {
              store.removeRecipient(at)
              onRemoved()
            }}
          >
            <Icon of={x} size={14} />
          </button>
        </span>
      ))}
      {moreCount > 0 && (
        <button type="button" className="chip more" onClick={() => setView('unfolded')}>
          + {moreCount.toLocaleString()} more
        </button>
      )}
      <div className="marks" id={noteId} role="status" hidden={marked.length === 0}>
        <ul>
          {marked.slice(0, reasonsCount).map(({ text, problem, at }) => (
            <li key={at}>
              <b>{text}</b> {problem}
            </li>
          ))}
          {marked.length > reasonsCount && <li>and {marked.length - reasonsCount} more marked entries</li>}
        </ul>
      </div>
    </>
  )
}
