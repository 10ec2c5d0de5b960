import { useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { download, plus, upload } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { saveCsv } from '../../kit/save-csv.ts'
import { UndoBar } from '../../kit/undo-bar.tsx'
import { AddDialog } from './add-dialog.tsx'
import { reasonLabels } from './reason-labels.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { SuppressionList } from './suppression-list.tsx'
import { createSuppressionsStore, type SuppressionsStore } from './suppressions-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** /dashboard/suppressions: the suppression list of the workspace. */
export function SuppressionsPage() {
  const t = useText()
  const { session, notify } = useApp()
  const [store] = useState(() => createSuppressionsStore(session, notify))
  const { dialog, asked } = useSnapshot(store.state)
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Suppressions')}>
          {t('No message, campaign or API call is sent to these addresses.')}
        </ScreenHeader>
        <Tools store={store} />
      </div>
      <Undo store={store} />
      <Outcome store={store} />
      <SuppressionList store={store} />
      <section className="panel suppression-about" aria-labelledby="suppression-about">
        <h2 id="suppression-about">{t('Reasons')}</h2>
        <dl>
          {Object.values(reasonLabels).map(({ word, about }) => (
            <div key={word}>
              <dt>{t(word)}</dt>
              <dd>{t(about)}</dd>
            </div>
          ))}
        </dl>
      </section>
      {dialog === 'add' && <AddDialog store={store} />}
      {asked && <RemoveDialog store={store} asked={asked} />}
    </>
  )
}

function Tools({ store }: { store: SuppressionsStore }) {
  const t = useText()
  const { busy } = useSnapshot(store.state)
  const file = useRef<HTMLInputElement>(null)
  return (
    <div className="screen-actions suppression-tools">
      <input
        ref={file}
        type="file"
        accept=".csv,text/csv"
        aria-label={t('CSV of suppressions')}
        hidden
        onChange={({ currentTarget: input }) => {
          const chosen = input.files?.[0]
          input.value = '' // The same file can be chosen again.
          if (chosen) void store.upload(chosen)
        }}
      />
      <Button icon={upload} busy={busy.includes('uploading')} onClick={() => file.current?.click()}>
        {t('Upload CSV')}
      </Button>
      <Button
        icon={download}
        busy={busy.includes('downloading')}
        onClick={() => void store.download((csv) => saveCsv(csv, 'suppressions.csv'))}
      >
        {t('Download CSV')}
      </Button>
      <Button kind="primary" icon={plus} onClick={() => store.open({ dialog: 'add' })}>
        {t('Add addresses')}
      </Button>
    </div>
  )
}

function Undo({ store }: { store: SuppressionsStore }) {
  const { removed, busy } = useSnapshot(store.state)
  return (
    <UndoBar
      name={removed?.email ?? null}
      done="removed"
      busy={busy.includes('restoring')}
      onUndo={() => void store.putBack()}
    />
  )
}

/** What became of the last CSV, or why it failed. */
function Outcome({ store }: { store: SuppressionsStore }) {
  const t = useText()
  const { imported, problem, dialog, asked } = useSnapshot(store.state)
  if (problem !== null && dialog === 'none' && asked === null) {
    return (
      <div className="suppression-outcome">
        <Banner kind="error" title={problem} />
      </div>
    )
  }
  if (imported === null) return null
  const { added, known, refused, refusals } = imported
  const parts = [
    t('{number} added', { number: added }),
    known > 0 && t('{number} already on the list', { number: known }),
    refused > 0 && t('{number} skipped', { number: refused }),
  ]
  return (
    <div className="suppression-outcome">
      <Banner kind={refused > 0 ? 'warn' : 'success'} title={parts.filter(Boolean).join(', ')}>
        {refusals.length > 0 && (
          <ul>
            {refusals.map(({ line, reason }) => (
              <li key={line}>{t('Line {line}: {reason}', { line, reason })}</li>
            ))}
          </ul>
        )}
      </Banner>
    </div>
  )
}
