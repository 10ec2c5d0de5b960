import type { ComponentType, KeyboardEvent, SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/form/button.tsx'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { useModule } from '../kit/use-module.ts'
import { BodyEditor } from './editor/body-editor.tsx'
import type { ComposeExtras, ComposeStore } from './compose-types.ts'
import { css } from './compose.css'
import { LaunchBar } from './send/launch-bar.tsx'
import { RecipientsRow } from './recipients/recipients-row.tsx'
import { SenderRow } from './send/sender-row.tsx'
import { SubjectRow } from './editor/subject-row.tsx'
import { useMessages } from '../kit/text/text.tsx'

const sheet = createSheet(css)
const loadSwitch = () => import('./modes/mode-switch.tsx')
const loadAids = () => import('./editor/writing-aids.ts')
const loadDialogs = () => import('./send/launch-dialogs.tsx')
const loadProgress = () => import('./progress/progress.tsx')
const loadNotices = () => import('./drafts/notices.tsx')
const loadAttachments = () => import('./attachments/attachment-row.tsx')
const loadPicker = () => import('./templates/picker-dialog.tsx')

export interface ComposeProps {
  store: ComposeStore
  /** Where a mailbox can be connected, for those who have none; no link without it. */
  configsHref?: string | undefined
}

interface SideProps {
  store: ComposeStore
  /** The way to the templates is above the blocks then. */
  isDesign: boolean
  aids: false | undefined | { PreviewPane: ComponentType<{ store: ComposeStore }> }
  /** Loads the preview again after a failure. */
  retry: (() => void) | undefined
  extras: ComposeExtras | undefined
}

/** The composer: the message on the left, its preview on the right. */
export function Compose({ store, configsHref }: ComposeProps) {
  useSheet(sheet)
  const t = useMessages()
  const { status, draft, undo, other, picker, hide, readonly } = useSnapshot(store.state)
  const isDesign = draft.mode === 'design' && store.loadDesign !== undefined
  const isWriting = draft.messageBody !== '' || (draft.subject + draft.preheader).includes('{{')
  const { module: aids, retry } = useModule(loadAids, isWriting)
  const files = useModule(loadAttachments, isWriting || (draft.attachments ?? []).length > 0).module
  const dialogs = useModule(loadDialogs, status !== 'editing').module
  const notices = useModule(loadNotices, undo !== null || other !== null).module
  const extras = useExtras(store)
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
        <div className={isDesign || hide.includes('preview') ? 'panes single' : 'panes'}>
          <form className="card" aria-label={t('Message')} noValidate onSubmit={launch}>
            {!readonly.includes('body') && <ModeBar store={store} isDesign={isDesign} />}
            {!hide.includes('from') && <SenderRow store={store} configsHref={configsHref} />}
            {!hide.includes('recipients') && <RecipientsRow store={store} />}
            {!hide.includes('subject') && <SubjectRow store={store} aids={aids} />}
            {store.hasPreheader && <SubjectRow store={store} aids={aids} field="preheader" />}
            <Fields store={store} extras={extras} />
            <BodyEditor store={store} aids={aids} />
            {aids && <aids.MergeValues store={store} />}
            {files && <files.AttachmentRow store={store} />}
            {notices && <notices.Notices store={store} />}
            <LaunchBar store={store} extras={extras} />
          </form>
          <Side store={store} isDesign={isDesign} aids={isWriting && aids} retry={retry} extras={extras} />
        </div>
      </div>
      {dialogs && <dialogs.LaunchDialogs store={store} />}
      {dialog && picker !== 'closed' && <dialog.PickerDialog key={picker} store={store} start={picker} />}
    </>
  )
}

const useExtras = ({ loadExtras }: ComposeStore) =>
  useModule<unknown>(loadExtras ?? loadSwitch, loadExtras !== undefined).module as ComposeExtras | undefined

/** The place of further fields; none on pages that do not offer them. */
const Fields = ({ store, extras }: Pick<SideProps, 'store' | 'extras'>) =>
  store.loadExtras && <div className="fields">{extras && <extras.HeaderFields store={store} />}</div>

/** The switch of the modes, once the form has what it needs to send. */
function ModeBar({ store, isDesign }: { store: ComposeStore; isDesign: boolean }) {
  const { status } = useSnapshot(store.state).configs
  const modes = useModule(loadSwitch, status !== 'loading' && status !== 'idle').module
  return (
    <div className="modes">
      {modes && <modes.ModeSwitch store={store} />}
      {isDesign && <ChooseTemplate store={store} />}
    </div>
  )
}

/** Opens the dialog of templates, on pages that offer it. */
function ChooseTemplate({ store }: { store: ComposeStore }) {
  const t = useMessages()
  const { hide } = useSnapshot(store.state)
  if (!store.openPicker || hide.includes('choose-template')) return null
  return (
    <Button data-needs="templates:read" size="small" onClick={() => store.set({ picker: 'pick' })}>
      {t('Choose Template')}
    </Button>
  )
}

/** The preview, the way to the templates, and the progress of the last launch. */
function Side({ store, isDesign, aids, retry, extras }: SideProps) {
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
      {!isDesign && <ChooseTemplate store={store} />}
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
      {extras && <extras.SideParts store={store} isWriting={Boolean(aids)} />}
      {progress && launched && <progress.Progress key={launched.id} store={store} launched={launched} />}
    </section>
  )
}
