import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { ref, type Snapshot } from 'valtio/vanilla'
import { Icon } from '../../kit/icon/icon.tsx'
import { x } from '../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import type { Draft } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { css } from './recipient-chips.css'
import { sweep } from '../drafts/undo.ts'
import { message } from '../../lib/messages/message.ts'
import { useMessages } from '../../kit/text/text.tsx'

const sheet = createSheet(css)

/** Entries shown while the list is folded, and at most while it is unfolded: the search finds the others. */
const foldedCount = 5
const unfoldedMaxCount = 200
/** Of how many marked entries the reason is written out. */
const reasonsCount = 3

/** One address: it gets one mail, even if it was added several times or in another case. */
interface Entry {
  key: string
  text: string
  problem: string | null
  from?: string
  count: number
}

export interface RecipientChipsProps {
  store: ComposeStore
  /** Id of the list of reasons, which describes the recipients box. */
  noteId: string
  /** Called after an entry was removed with its button. Without it the entries are read-only. */
  onRemoved: (() => void) | undefined
}

/** The entries, each once, those that are no address marked; a long list folds, its marked entries stay in sight. */
export function RecipientChips({ store, noteId, onRemoved }: RecipientChipsProps) {
  useSheet(sheet)
  const t = useMessages()
  const { draft, report } = useSnapshot(store.state, { sync: true })
  const [view, setView] = useState<'folded' | 'unfolded'>('folded')
  const [query, setQuery] = useState('')
  const { recipients, again } = entriesOf(draft)
  const isLong = recipients.length > foldedCount + 1
  const openCount = isLong && view === 'folded' ? foldedCount : unfoldedMaxCount
  const words = isLong && view === 'unfolded' ? query.trim().toLowerCase() : ''
  const marked = recipients.filter(({ problem }) => problem !== null)
  // Those of the last paste are in its report.
  const reported = report?.status === 'added' ? report.id : null
  const noted = marked.filter(({ from }) => reported === null || from !== reported)
  const found = recipients.filter(({ text }) => text.toLowerCase().includes(words))
  const alwaysShown = new Set(marked.slice(0, unfoldedMaxCount))
  const shown = found.filter((entry, at) => at < openCount || alwaysShown.has(entry))
  const moreCount = found.length - shown.length
  const remove = (key: string) => {
    store.write({ recipients: draft.recipients.filter((one) => one.key !== key) })
    onRemoved?.()
  }
  return (
    <>
      {isLong && (
        <span className="chips-head">
          <span>
            <b>{t('{number} recipients', { number: recipients.length })}</b>
            {marked.length > 0 && t(', {marked} marked', { marked: marked.length })}
          </span>
          {view === 'unfolded' && (
            <input
              aria-label={t('Find a recipient')}
              placeholder={t('Find a recipient')}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
            />
          )}
          <button
            type="button"
            className="link"
            aria-expanded={view === 'unfolded'}
            onClick={() => setView(view === 'folded' ? 'unfolded' : 'folded')}
          >
            {t(view === 'folded' ? 'Show all' : 'Show fewer')}
          </button>
          {onRemoved && (
            <button
              type="button"
              className="link"
              onClick={() => {
                sweep(store, message('{count} recipients removed', { count: recipients.length }), {
                  recipients: [],
                  sources: ref([]),
                })
                onRemoved()
              }}
            >
              {t('Remove all')}
            </button>
          )}
        </span>
      )}
      {shown.map(({ key, text, problem, count }) => (
        <span key={key} className={problem === null ? 'chip' : 'chip marked'} title={problem ? t(problem) : text}>
          <span translate="no">{text}</span>
          {count > 1 && <b>{`\u00a0×${count}`}</b>}
          {onRemoved && (
            <button type="button" aria-label={t('Remove {text}', { text })} onClick={() => remove(key)}>
              <Icon of={x} size={14} />
            </button>
          )}
        </span>
      ))}
      {moreCount > 0 && view === 'folded' && (
        <button type="button" className="chip more" onClick={() => setView('unfolded')}>
          {t('and {number} more', { number: moreCount })}
        </button>
      )}
      {moreCount > 0 && view === 'unfolded' && (
        <span className="chip more">{t('and {number} more: type to find one', { number: moreCount })}</span>
      )}
      <div className="marks" id={noteId} role="status" hidden={noted.length === 0 && !again}>
        <ul>
          {noted.slice(0, reasonsCount).map(({ key, text, problem }) => (
            <li key={key}>
              <b translate="no">{text}</b> {problem && t(problem)}
            </li>
          ))}
          {again && <li>{t('{address} is already in the list', { address: again })}</li>}
          {noted.length > reasonsCount && (
            <li>{t('and {number} more marked entries', { number: noted.length - reasonsCount })}</li>
          )}
        </ul>
      </div>
    </>
  )
}

interface Entries {
  recipients: Entry[]
  again: string
}

const known = new WeakMap<Snapshot<Draft>['recipients'], Entries>()

/** The recipients, each address once, and the last address that was added again. Read once for each list. */
function entriesOf({ recipients }: Snapshot<Draft>): Entries {
  const found = known.get(recipients)
  if (found) return found
  const byKey = new Map<string, Entry>()
  let again = ''
  for (const one of recipients) {
    const entry = byKey.get(one.key)
    if (entry) entry.count += 1
    else byKey.set(one.key, { ...one, count: 1 })
    if (entry) again = one.text
  }
  const entries = { recipients: [...byKey.values()], again }
  known.set(recipients, entries)
  return entries
}
