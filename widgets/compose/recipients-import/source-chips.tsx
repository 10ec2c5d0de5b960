import { useSnapshot } from 'valtio'
import { Icon } from '../../kit/icon/icon.tsx'
import { x } from '../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useMessages } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { countBySource, removeSource } from './import-store.ts'
import { css } from './sources.css'

const sheet = createSheet(css)

/** A chip with its count for each paste and file; its name shows the columns. */
export function SourceChips({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useMessages()
  const { draft, mapped, readonly } = useSnapshot(store.state)
  const counts = countBySource(draft.recipients)
  const shown = draft.sources.filter(({ id }) => counts.has(id))
  if (shown.length === 0) return null
  return (
    <ul className="sources" aria-label={t('Sources')}>
      {shown.map(({ id, kind, name, columns }) => {
        const text = kind === 'paste' ? t('Pasted addresses') : name
        const label = (
          <>
            <bdi translate={kind === 'paste' ? undefined : 'no'}>{text}</bdi>{' '}
            <b>{counts.get(id)?.toLocaleString(t.lang)}</b>
          </>
        )
        return (
          <li key={id} className="source">
            {columns.length === 0 ? (
              <div className="source-name">{label}</div>
            ) : (
              <button
                type="button"
                className="source-name"
                aria-expanded={mapped === id}
                title={t('Columns of {name}', { name: text })}
                onClick={() => store.set({ mapped: mapped === id ? '' : id })}
              >
                {label}
              </button>
            )}
            {!readonly.includes('recipients') && (
              <button type="button" aria-label={t('Remove {text}', { text })} onClick={() => removeSource(store, id)}>
                <Icon of={x} size={14} />
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
