import type { ComponentType, KeyboardEvent, SyntheticEvent } from 'react'
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
const loadAids = () => import('./editor/writing-aids.ts')
const loadDialogs = () => import('./send/launch-dialogs.tsx')
const loadProgress = () => import('./progress/progress.tsx')
const loadNotices = () => import('./drafts/notices.tsx')
const loadPicker = () => import('./templates/picker-dialog.tsx')

export interface ComposeProps {
  store: ComposeStore
  /** Where a mailbox can be connected, for those who have none; no link without it. */
  configsHref?: string | undefined
}

interface SideProps {
  store: ComposeStore
  aids: false | undefined | { PreviewPane: ComponentType<{ store: ComposeStore }> }
  /** Loads the preview again after a failure. */
  retry: (() => void) | undefined
}

/** The composer: the message on the left, its preview on the right. */
export function Compose({ store, configsHref }: ComposeProps) {
  useSheet(sheet)
  const t = useMessages()
  const { status, draft, undo, other, picker, hide } = useSnapshot(store.state)
  const isWriting = draft.messageBody !== '' || draft.subject.includes('{{')
  const { module: aids, retry } = useModule(loadAids, isWriting)
  const dialogs = useModule(loadDialogs, status !== 'editing').module
  const notices = useModule(loadNotices, undo !== null || other !== null).module
  const dialog = useModule(loadPicker, picker !== 'closed').module

  const launch = (event: SyntheticEvent) => {
    event.preventDefault()
    void store.launch()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) launch(event)
  }

  return (
    <>
      <div className="compose" onKeyDown={onKeyDown}>
        <div className={hide.includes('preview') ? 'panes single' : 'panes'}>
          <form className="card" aria-label={t('Message')} noValidate onSubmit={launch}>
            {!hide.includes('from') && <SenderRow store={store} configsHref={configsHref} />}
            {!hide.includes('recipients') && <RecipientsRow store={store} />}
            {!hide.includes('subject') && <SubjectRow store={store} aids={aids} />}
            <BodyEditor store={store} aids={aids} />
            {aids && <aids.MergeValues store={store} />}
            {notices && <notices.Notices store={store} />}
            <LaunchBar store={store} />
          </form>
          <Side store={store} aids={isWriting && aids} retry={retry} />
        </div>
      </div>
      {dialogs && <dialogs.LaunchDialogs store={store} />}
      {dialog && picker !== 'closed' && <dialog.PickerDialog key={picker} store={store} start={picker} />}
    </>
  )
}

/** The preview, the way to the templates, and the progress of the last launch. */
function Side({ store, aids, retry }: SideProps) {
  const t = useMessages()
  const { launched, hide } = useSnapshot(store.state)
  const progress = useModule(loadProgress, launched !== null).module
  const isWithoutPreview = hide.includes('preview')
  const canPick = store.openPicker && !hide.includes('choose-template')
  return (
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
      {aids ? (
        <aids.PreviewPane store={store} />
      ) : (
        isWithoutPreview || (
          <div className="blank">
            <p>{t(retry ? 'The preview could not be loaded.' : 'Your message shows here as you write it.')}</p>
            {retry && (
              <button type="button" className="link" onClick={retry}>
                {t('Try Again')}
              </button>
            )}
          </div>
        )
      )}
      {progress && launched && <progress.Progress key={launched.id} store={store} launched={launched} />}
    </section>
  )
}
