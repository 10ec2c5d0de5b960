import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Import } from '../../../contract/audience/imports/import.ts'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useHash } from '../../kit/use-hash.ts'
import { ColumnsStep } from './columns-step.tsx'
import { ConsentStep } from './consent-step.tsx'
import { FormatStep } from './format-step.tsx'
import { ImportBar } from './import-bar.tsx'
import { sizeText } from './import-labels.ts'
import { canOpen, shownStep, type ImportStep } from './import-steps.ts'
import type { ImportStore } from './import-store.ts'
import { ResultStep } from './result-step.tsx'
import { StepBar } from './step-bar.tsx'
import { CheckStep, FileStep, ProgressStep } from './work-steps.tsx'
import { WizardActions } from './wizard-actions.tsx'

const titles: Record<ImportStep, string> = {
  file: 'The file',
  format: 'Is the file read correctly?',
  columns: 'Where does each column go?',
  consent: 'Consent and list',
  check: 'If you import now',
  progress: 'The import is running',
  result: 'Result',
}

const savingLabels = { no: 'Saved, you can close this page', yes: 'Saving…', failed: 'Not saved' } as const

/** The steps of an import. The server keeps the choices; the address has the step. */
export function ImportWizard({ store }: { store: ImportStore }) {
  const t = useText()
  const snapshot = useSnapshot(store.state, { sync: true })
  const place = useHash()
  const [consentProblem, setConsentProblem] = useState<string | null>(null)
  useEffect(() => {
    store.dismiss()
  }, [store, place])
  const record = snapshot.record as Import
  const { problem, saving } = snapshot
  const step = shownStep(record, place)
  const heading = useFocusOnChange(step)
  const title = record.state === 'failed' && step === 'progress' ? t('The import stopped') : t(titles[step])
  const { file_name: name, size_bytes: size, state } = record
  const isChoosing = state === 'mapping' || state === 'checked'
  return (
    <>
      <ImportBar
        about={
          <>
            <span translate="no">{name}</span> · {sizeText(t, size)}
          </>
        }
        saving={isChoosing ? t(savingLabels[saving]) : undefined}
      />
      <StepBar shown={step} canOpen={(one) => canOpen(record, one, step)} />
      <section className="import-step" aria-labelledby="import-step-title">
        <h2 ref={heading} id="import-step-title" tabIndex={-1}>
          {title}
        </h2>
        {isChoosing && record.error !== null && <Banner kind="warn" title={record.error} />}
        {problem !== null && <Banner kind="error" title={problem} />}
        {step === 'file' && <FileStep store={store} record={record} />}
        {step === 'format' && <FormatStep store={store} record={record} />}
        {step === 'columns' && <ColumnsStep store={store} record={record} />}
        {step === 'consent' && <ConsentStep store={store} record={record} problem={consentProblem} />}
        {step === 'check' && <CheckStep store={store} record={record} />}
        {step === 'progress' && <ProgressStep store={store} record={record} />}
        {step === 'result' && <ResultStep store={store} record={record} />}
        <WizardActions store={store} record={record} step={step} onConsentProblem={setConsentProblem} />
      </section>
    </>
  )
}

/** Focuses the heading of another step, so that it is read and Tab begins there. */
function useFocusOnChange(step: ImportStep) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return heading
}
