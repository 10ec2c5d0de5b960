import { useCallback, useRef, type KeyboardEvent, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { useModule } from '../kit/use-module.ts'
import { BodyEditor } from './body-editor.tsx'
import type { ComposeStore } from './compose-store.ts'
import { css } from './compose.css'
import { LaunchBar } from './launch-bar.tsx'
import { RecipientsRow } from './recipients-row.tsx'
import { SenderRow } from './sender-row.tsx'
import { SubjectRow } from './subject-row.tsx'

const sheet = createSheet(css)
const loadPreview = () => import('./preview-pane.tsx')
const loadDelivery = () => import('./delivery-panel.tsx')
const loadQuestion = () => import('./send-question.tsx')

export interface ComposeProps {
  store: ComposeStore
  /** Where a mailbox can be connected, for those who have none; no link without it. */
  configsHref?: string | undefined
}

/** The composer: what is written on the left, what the recipients get on the right. */
export function Compose({ store, configsHref }: ComposeProps) {
  useSheet(sheet)
  const { status, draft, sent } = useSnapshot(store.state)
  const isWriting = draft.messageBody !== '' || draft.subject.includes('{{')
  const preview = useModule(loadPreview, isWriting)
  const delivery = useModule(loadDelivery, sent !== null)
  const question = useModule(loadQuestion, status === 'asking')

  const launch = useCallback(
    (event: SyntheticEvent) => {
      event.preventDefault()
      void store.launch()
    },
    [store],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) launch(event)
  }
  const parts = preview.status === 'ready' ? preview.module : null

  return (
    <div className="compose" onKeyDown={onKeyDown}>
      <div className="panes">
        <form className="card" aria-label="Message" noValidate onSubmit={launch}>
          <SenderRow store={store} configsHref={configsHref} />
          <RecipientsRow store={store} />
          <SubjectRow store={store} Paint={parts?.Paint} />
          <BodyEditor store={store} Paint={parts?.Paint} />
          {parts && <parts.MergeValues store={store} />}
          <LaunchBar store={store} />
        </form>
        <section className="side" aria-label="Preview">
          {delivery.status === 'ready' && sent && (
            <delivery.module.DeliveryPanel key={sent.id} session={store.session} id={sent.id} />
          )}
          {parts && isWriting ? <parts.PreviewPane store={store} /> : <Blank preview={preview} />}
        </section>
      </div>
      {question.status === 'ready' && status === 'asking' && <question.module.SendQuestion store={store} />}
    </div>
  )
}

function Blank({ preview }: { preview: ReturnType<typeof useModule> }) {
  const place = useRef<HTMLDivElement>(null)
  return (
    <div className="blank" ref={place}>
      {preview.status === 'failed' ? (
        <>
          <p>The preview could not be loaded.</p>
          <button type="button" className="link" onClick={preview.retry}>
            Try Again
          </button>
        </>
      ) : (
        <p>Your message shows here as you write it.</p>
      )}
    </div>
  )
}
