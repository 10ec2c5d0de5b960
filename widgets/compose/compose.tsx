import type { KeyboardEvent, SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/form/button.tsx'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { useModule } from '../kit/use-module.ts'
import { BodyEditor } from './editor/body-editor.tsx'
import type { ComposeStore } from './compose-types.ts'
import { css } from './compose.css'
import { LaunchBar } from './send/launch-bar.tsx'
import { RecipientsRow } from './recipients/recipients-row.tsx'
import { SenderRow } from './send/sender-row.tsx'
import { SubjectRow } from './editor/subject-row.tsx'
import { useMessages } from '../kit/text/text.tsx'

const sheet = createSheet(css)
const loadPreview = () => import('./preview/preview-parts.ts')
const loadLaunch = () => import('./send/launch-parts.ts')
const loadExtras = () => import('./drafts/extras.tsx')

export interface ComposeProps {
  store: ComposeStore
  /** Where a mailbox can be connected, for those who have none; no link without it. */
  configsHref?: string | undefined
}

/** The composer: what is written on the left, what the recipients get on the right. */
export function Compose({ store, configsHref }: ComposeProps) {
  useSheet(sheet)
  const t = useMessages()
  const { status, draft, launched, undo, other, picker, hide } = useSnapshot(store.state)
  const isWithoutPreview = hide.includes('preview')
  const canPick = store.openPicker && !hide.includes('choose-template')
  const isWriting = draft.messageBody !== '' || draft.subject.includes('{{')
  const preview = useModule(loadPreview, isWriting)
  const launching = useModule(loadLaunch, status !== 'editing' || launched !== null)
  const more = useModule(loadExtras, undo !== null || other !== null || picker !== 'closed')

  const launch = (event: SyntheticEvent) => {
    event.preventDefault()
    void store.launch()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) launch(event)
  }
  const parts = preview.status === 'ready' ? preview.module : null
  const launchParts = launching.status === 'ready' ? launching.module : null
  const extras = more.status === 'ready' ? more.module : null

  return (
    <>
      <div className="compose" onKeyDown={onKeyDown}>
        <div className={isWithoutPreview ? 'panes single' : 'panes'}>
          <form className="card" aria-label={t('Message')} noValidate onSubmit={launch}>
            {!hide.includes('from') && <SenderRow store={store} configsHref={configsHref} />}
            {!hide.includes('recipients') && <RecipientsRow store={store} />}
            {!hide.includes('subject') && <SubjectRow store={store} parts={parts} />}
            <BodyEditor store={store} parts={parts} />
            {parts && <parts.MergeValues store={store} />}
            {extras && <extras.Notices store={store} />}
            <LaunchBar store={store} Outcome={launchParts?.Outcome} />
          </form>
          <section
            className="side"
            aria-label={t(isWithoutPreview ? 'Templates' : 'Preview')}
            hidden={isWithoutPreview && !canPick && !launched}
          >
            {canPick && (
              <Button data-needs="templates:read" size="small" onClick={() => store.set({ picker: 'pick' })}>
                {t('Choose Template')}
              </Button>
            )}
            {parts && isWriting ? <parts.PreviewPane store={store} /> : isWithoutPreview || <Blank preview={preview} />}
            {launchParts && launched && <launchParts.Progress key={launched.id} store={store} launched={launched} />}
          </section>
        </div>
      </div>
      {launchParts && <launchParts.LaunchDialogs store={store} />}
      {extras && picker !== 'closed' && <extras.PickerDialog key={picker} store={store} start={picker} />}
    </>
  )
}

function Blank({ preview }: { preview: ReturnType<typeof useModule> }) {
  const t = useMessages()
  return (
    <div className="blank">
      {preview.status === 'failed' ? (
        <>
          <p>{t('The preview could not be loaded.')}</p>
          <button type="button" className="link" onClick={preview.retry}>
            {t('Try Again')}
          </button>
        </>
      ) : (
        <p>{t('Your message shows here as you write it.')}</p>
      )}
    </div>
  )
}
