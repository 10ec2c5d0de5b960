import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { listFilter, users, x } from '../../kit/icon/icons.ts'
import { Icon } from '../../kit/icon/icon.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useText } from '../../kit/text/text.tsx'
import type { AudienceRef } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { AudiencePicker } from './audience-picker.tsx'
import { audienceStoreOf } from './audience-store.ts'
import { css } from './audience.css'

const sheet = createSheet(css)

/** Lists and segments among the recipients: the way to choose them, a chip for each, and how many people get the mail. */
export function AudienceSources({ store: composer }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useText()
  const [store] = useState(() => audienceStoreOf(composer))
  const [isPicking, setPicking] = useState(false)
  const { draft } = useSnapshot(composer.state)
  const { lists, segments, status } = useSnapshot(store.state)
  const audience = draft.audience ?? []
  const chosen = JSON.stringify(audience.map(({ kind, id, isExcluded }) => [kind, id, isExcluded]))

  useEffect(() => {
    if (audience.length > 0 || isPicking) void store.load()
    // Once: lists are read again when they are to be chosen.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [store, audience.length > 0, isPicking])
  useEffect(() => {
    store.follow()
  }, [store, chosen, draft.recipients])
  useEffect(() => () => store.close(), [store])

  const known = ({ kind, id }: AudienceRef) => (kind === 'list' ? lists : segments).find((one) => one.id === id)
  return (
    <>
      <button type="button" className="link" onClick={() => setPicking(true)}>
        {t('Choose Lists and Segments')}
      </button>
      {audience.length > 0 && (
        <ul className="audience" aria-label={t('Lists and segments')}>
          {audience.map((one) => {
            const found = known(one)
            const isMissing = status === 'ready' && !found
            const name = found?.name ?? (one.name || t(one.kind === 'list' ? 'List' : 'Segment'))
            return (
              <li
                key={`${one.kind} ${one.id}`}
                className={`audience-chip${one.isExcluded ? ' excluded' : ''}${isMissing ? ' missing' : ''}`}
              >
                <Icon of={one.kind === 'list' ? users : listFilter} size={14} />
                <span>
                  {one.isExcluded ? t('Not {name}', { name }) : <bdi translate="no">{name}</bdi>}
                  {isMissing && <> · {t('no longer exists')}</>}
                </span>
                <Count store={composer} one={one} fallback={found?.count ?? null} />
                <button
                  type="button"
                  aria-label={t('Remove {text}', { text: name })}
                  onClick={() => store.choose(one, null)}
                >
                  <Icon of={x} size={14} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {isPicking && <AudiencePicker store={store} composer={composer} onClosed={() => setPicking(false)} />}
    </>
  )
}

/** People of one source: as the server counted them, before that as the list knows. */
function Count({ store, one, fallback }: { store: ComposeStore; one: AudienceRef; fallback: number | null }) {
  const t = useText()
  const { audience } = useSnapshot(store.state)
  const counted = audience?.counted?.sources.find(({ kind, id }) => kind === one.kind && id === one.id)?.count
  const count = counted ?? fallback
  return count === null ? null : <b>{count.toLocaleString(t.lang)}</b>
}
