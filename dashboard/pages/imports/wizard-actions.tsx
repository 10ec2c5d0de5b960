import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { DocumentActions } from '../../shell/document-bar.tsx'
import { importSteps, rowCount, type ImportStep } from './import-steps.ts'
import type { ImportStore } from './import-store.ts'
import type { StepProps } from './work-steps.tsx'

export interface WizardActionsProps extends StepProps {
  step: ImportStep
  onConsentProblem: (problem: string | null) => void
}

const goTo = (step: ImportStep) => {
  location.hash = step
}

/** The way on, the way back, and the end of an import: one primary button a step. */
export function WizardActions(props: WizardActionsProps) {
  const t = useText()
  const { store, record, step } = props
  const { busy, saving, upload } = useSnapshot(store.state)
  const [isAsking, setIsAsking] = useState(false)
  const { state } = record
  const canCancel = ['uploading', 'mapping', 'checked', 'running', 'failed'].includes(state)
  const before = importSteps[importSteps.indexOf(step) - 1]
  const canGoBack = (state === 'mapping' || state === 'checked') && before !== undefined
  return (
    <DocumentActions>
      {canCancel && (
        <Button kind="quiet" onClick={() => setIsAsking(true)}>
          {t('Cancel import')}
        </Button>
      )}
      {state === 'checking' && (
        <Button busy={busy.includes('cancelling')} onClick={() => void store.cancel()}>
          {t('Stop the check')}
        </Button>
      )}
      {saving === 'failed' && <Button onClick={() => void store.save()}>{t('Save again')}</Button>}
      {canGoBack && <Button onClick={() => goTo(before)}>{t('Back')}</Button>}
      {state === 'uploading' && upload === 'interrupted' && store.hasFile() && (
        <Button kind="primary" onClick={() => store.tryUploadAgain()}>
          {t('Try Again')}
        </Button>
      )}
      <WayOn {...props} />
      {isAsking && <CancelDialog store={store} record={record} onClosed={() => setIsAsking(false)} />}
    </DocumentActions>
  )
}

function WayOn({ store, record, step, onConsentProblem }: WizardActionsProps) {
  const t = useText()
  const { busy } = useSnapshot(store.state)
  const { state, counts, columns } = record
  if (step === 'result') {
    const { list_id: listId } = record
    return (
      <ButtonLink kind="primary" href={`/dashboard/contacts${listId === null ? '' : `?list=${listId}`}`}>
        {t('Show contacts')}
      </ButtonLink>
    )
  }
  if (state === 'failed') {
    return (
      <Button kind="primary" busy={busy.includes('starting')} onClick={() => void store.start()}>
        {t('Resume')}
      </Button>
    )
  }
  if (step === 'check' && state === 'checked') {
    const rows = rowCount(counts) - (counts?.refused ?? 0)
    return (
      <Button kind="primary" busy={busy.includes('starting')} onClick={() => void store.start()}>
        {t('Import {count} row|Import {count} rows', { count: rows })}
      </Button>
    )
  }
  if (state !== 'mapping' && state !== 'checked') return null
  if (step === 'consent') {
    return (
      <Button
        kind="primary"
        busy={busy.includes('checking')}
        onClick={() => void checkConsent(store, t, onConsentProblem)}
      >
        {t('Check the file')}
      </Button>
    )
  }
  const next = importSteps[importSteps.indexOf(step) + 1] ?? 'format'
  const isBlocked = step === 'format' && columns.length === 0
  return (
    <Button
      kind="primary"
      disabled={isBlocked}
      onClick={() => {
        if (step === 'columns' && !store.requireAddress()) return
        goTo(next)
      }}
    >
      {t('Continue')}
    </Button>
  )
}

async function checkConsent(
  store: ImportStore,
  t: ReturnType<typeof useText>,
  onProblem: (problem: string | null) => void,
): Promise<void> {
  const isMissing = store.state.consent.trim() === ''
  onProblem(isMissing ? t('Say how these people agreed. For example: the newsletter form on your site.') : null)
  if (isMissing) {
    document.querySelector<HTMLElement>('.import-step textarea')?.focus()
    return
  }
  if (await store.check()) goTo('check')
}

function CancelDialog({ store, record, onClosed }: StepProps & { onClosed: () => void }) {
  const t = useText()
  const { busy } = useSnapshot(store.state)
  const isWriting = record.state === 'running' || record.state === 'failed'
  return (
    <ConfirmDialog
      title={t('Cancel this import?')}
      act={t('Cancel import')}
      keep={t('Go on')}
      busy={busy.includes('cancelling')}
      onAct={store.cancel}
      onClosed={onClosed}
    >
      <p>
        {isWriting
          ? t('Contacts that are written stay; you can take them back afterwards.')
          : t('Nothing is written. The choices for this file are lost.')}
      </p>
    </ConfirmDialog>
  )
}
