import { useSnapshot } from 'valtio'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { FileDrop } from './upload/file-drop.tsx'
import { ImportCounts } from './import-counts.tsx'
import { sizeText } from './import-labels.ts'
import type { ImportStore } from './import-store.ts'
import { ProgressBar } from './progress-bar.tsx'

export interface StepProps {
  store: ImportStore
  record: Import
}

/** The file: its upload, or where it is stored already, its name. */
export function FileStep({ store, record }: StepProps) {
  const t = useText()
  const { upload } = useSnapshot(store.state)
  const { file_name: name, size_bytes: size, received_bytes: received, state } = record
  if (state !== 'uploading') {
    return (
      <div className="panel import-panel">
        <p>{t('{name} is stored, {size}.', { name, size: sizeText(t, size) })}</p>
        <p>
          <a href="/dashboard/imports/new">{t('Import another file')}</a>
        </p>
      </div>
    )
  }
  return (
    <div className="panel import-panel">
      <ProgressBar label={t('Uploading {name}', { name })} done={received} total={size} />
      <p className="import-note">
        {t('{done} of {total} are stored.', { done: sizeText(t, received), total: sizeText(t, size) })}
      </p>
      {upload !== 'running' && !store.hasFile() && (
        <>
          <p>{t('The upload was interrupted. Choose {name} again: it goes on where it stopped.', { name })}</p>
          <FileDrop label={t('Choose {name}', { name })} busy={false} onFile={(file) => store.goOnUpload(file)} />
        </>
      )}
    </div>
  )
}

/** What the import would do, before anything is written. */
export function CheckStep({ record }: StepProps) {
  const t = useText()
  const { state, counts, bytes_done: done, size_bytes: size } = record
  return (
    <div className="panel import-panel">
      <p className="import-nothing" role="status">
        {t('Nothing is written yet.')}
        {state === 'checked' && <span className="hidden-text">{t('The check is done.')}</span>}
      </p>
      {state === 'checking' && <ProgressBar label={t('Checking every row')} done={done} total={size} />}
      {state === 'checked' && counts && (
        <>
          <ImportCounts counts={counts} />
          {counts.refused > 0 && (
            <p className="import-note">
              {t('Refused rows are left out. After the import you get them as a file, with reasons.')}
            </p>
          )}
          {counts.suppressed > 0 && (
            <p className="import-note">
              {t('Suppressed people keep their state and get no mail. Only their fields can change.')}
            </p>
          )}
          <p className="import-note">{t('You can take the import back for 30 days.')}</p>
        </>
      )}
    </div>
  )
}

/** How far the import is; what stopped it. */
export function ProgressStep({ record }: StepProps) {
  const t = useText()
  const { state, counts, error, bytes_done: done, size_bytes: size } = record
  return (
    <>
      {state === 'failed' && (
        <Banner kind="error" title={error ?? t('The import stopped.')}>
          <p>{t('Written contacts stay. The import can continue where it stopped.')}</p>
        </Banner>
      )}
      <div className="panel import-panel">
        <ProgressBar label={t('Importing')} done={done} total={size} />
        {counts && <ImportCounts counts={counts} />}
        <p className="import-note">{t('You can close this page: the import goes on.')}</p>
      </div>
    </>
  )
}
