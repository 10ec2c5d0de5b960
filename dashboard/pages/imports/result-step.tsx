import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { download } from '../../../widgets/kit/icon/icons.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { saveCsv } from '../../kit/save-csv.ts'
import { ImportCounts } from './import-counts.tsx'
import { isMoving, rowCount } from './import-steps.ts'
import type { StepProps } from './work-steps.tsx'

const dayMs = 86_400_000

/** Days in which an import can still be taken back; null where it cannot. */
function daysLeft({ undo_until: until, state }: Pick<Import, 'undo_until' | 'state'>): number | null {
  if (until === null || (state !== 'done' && state !== 'cancelled')) return null
  const leftMs = Date.parse(until) - Date.now()
  return leftMs > 0 ? Math.ceil(leftMs / dayMs) : null
}

/** What became of the import: its counts, its refused rows, and the way back. */
export function ResultStep({ store, record }: StepProps) {
  const t = useText()
  const { busy } = useSnapshot(store.state)
  const [isAsking, setIsAsking] = useState(false)
  const { counts, state, finished_at: finishedAt } = record
  const days = daysLeft(record)
  const refused = counts?.refused ?? 0
  return (
    <>
      <Outcome record={record} />
      {counts && rowCount(counts) > 0 && (
        <div className="panel import-panel">
          <ImportCounts counts={counts} />
          <div className="import-result-actions">
            {refused > 0 && (
              <Button
                icon={download}
                busy={busy.includes('downloading')}
                onClick={() => void store.downloadRefusals((csv) => saveCsv(csv, 'refused-rows.csv'))}
              >
                {t('Get the refused row as CSV|Get the {count} refused rows as CSV', { count: refused })}
              </Button>
            )}
            {days !== null && (
              <Button busy={busy.includes('undoing')} onClick={() => setIsAsking(true)}>
                {t('Take back')}
              </Button>
            )}
          </div>
          {days !== null && (
            <p className="import-note">
              {t('{count} day left to take this import back.|{count} days left to take this import back.', {
                count: days,
              })}
            </p>
          )}
          {days === null && (state === 'done' || state === 'cancelled') && finishedAt !== null && (
            <p className="import-note">{t('This import can no longer be taken back.')}</p>
          )}
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('Take this import back?')}
          act={t('Take back')}
          keep={t('Keep it')}
          busy={busy.includes('undoing')}
          onAct={store.takeBack}
          onClosed={() => setIsAsking(false)}
        >
          <p>
            {t(
              'Contacts that it added are deleted, and changed values are restored. What was used or changed since stays.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Outcome({ record }: Pick<StepProps, 'record'>) {
  const t = useText()
  const { state, counts, kept } = record
  const written = (counts?.added ?? 0) + (counts?.updated ?? 0)
  if (isMoving(record)) {
    return (
      <p className="panel import-panel" role="status">
        {t('Taking the import back…')}
      </p>
    )
  }
  if (state === 'undone') {
    return (
      <Banner kind="success" title={t('The import is taken back.')}>
        {kept > 0 && (
          <p>
            {t(
              '{count} contact was used or changed since and stays.|{count} contacts were used or changed since and stay.',
              {
                count: kept,
              },
            )}
          </p>
        )}
      </Banner>
    )
  }
  if (state === 'cancelled') {
    const title =
      written === 0
        ? t('The import is cancelled. Nothing was written.')
        : t(
            'The import is cancelled. {count} contact had been written.|The import is cancelled. {count} contacts had been written.',
            { count: written },
          )
    return <Banner kind="warn" title={title} />
  }
  return (
    <Banner
      kind="success"
      title={t('The import is done. {count} contact was written.|The import is done. {count} contacts were written.', {
        count: written,
      })}
    />
  )
}
