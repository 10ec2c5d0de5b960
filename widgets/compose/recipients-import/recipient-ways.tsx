import { useLayoutEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { useModule } from '../../kit/use-module.ts'
import { useMessages } from '../../kit/text/text.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import type { AudiencePart, ComposeStore } from '../compose-types.ts'
import { css } from './ways.css'

const sheet = createSheet(css)

const loadSources = () => import('./recipient-sources.ts')
const none = () => Promise.reject<AudiencePart>(new Error('This page has no lists.'))

/** How recipients can be given beside typing: a hint while there are none, a button for files, and drops on the whole row. `id`: of the field. */
export function RecipientWays({ store, id }: { store: ComposeStore; id: string }) {
  useSheet(sheet)
  const t = useMessages()
  const { draft, report, readonly } = useSnapshot(store.state)
  const isFixed = readonly.includes('recipients')
  const sources = useModule(loadSources, draft.sources.length > 0 || report !== null).module
  const { module: audience } = useModule(store.loadAudience ?? none, Boolean(store.loadAudience) && !isFixed)
  const file = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const row = file.current?.closest('.row')
    if (!row) return
    const onDrag = (event: Event) => {
      const { dataTransfer } = event as DragEvent
      if (!dataTransfer?.types.includes('Files')) return
      event.preventDefault() // The browser would leave the page for the file.
      row.classList.toggle('over', event.type === 'dragover')
      if (event.type === 'drop') addFiles(store, dataTransfer.files)
    }
    const onLeave = () => row.classList.remove('over')
    row.addEventListener('dragover', onDrag)
    row.addEventListener('drop', onDrag)
    row.addEventListener('dragleave', onLeave)
    return () => {
      row.removeEventListener('dragover', onDrag)
      row.removeEventListener('drop', onDrag)
      row.removeEventListener('dragleave', onLeave)
    }
  }, [store, isFixed])
  return (
    <>
      {isFixed || (
        <>
          {draft.recipients.length === 0 && !draft.audience?.[0] && (
            <span id={`${id}-hint`}>
              {t(
                store.loadAudience
                  ? 'Paste addresses, drop a CSV file, or choose a list'
                  : 'Paste addresses or drop a CSV file',
              )}
            </span>
          )}
          <input
            ref={file}
            type="file"
            hidden
            multiple
            accept=".csv,.tsv,.tab,.txt,text/*"
            aria-label={t('Choose a File')}
            onChange={({ currentTarget }) => {
              addFiles(store, currentTarget.files)
              currentTarget.value = '' // The same file can be chosen again.
            }}
          />
          <button type="button" className="link" onClick={() => file.current?.click()}>
            {t('Choose a File')}
          </button>
        </>
      )}
      {audience && <audience.AudienceSources store={store} />}
      {sources && <sources.SourceChips store={store} />}
      {audience && <audience.AudienceTotal store={store} />}
      {sources && <sources.SourceReport store={store} />}
    </>
  )
}

function addFiles(store: ComposeStore, files: FileList | null): void {
  for (const one of files ?? []) void store.addRecipients(one)
}
