import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { check } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { importSteps, stepLabels, type ImportStep } from './import-steps.ts'

export interface StepBarProps {
  shown: ImportStep
  /** Whether the person can open a step; none without it. */
  canOpen?: (step: ImportStep) => boolean
}

/** The steps of an import: done ones with a check, the current one with a line; those that can be opened are links. */
export function StepBar({ shown, canOpen = () => false }: StepBarProps) {
  const t = useText()
  const at = importSteps.indexOf(shown)
  return (
    <nav className="import-steps" aria-label={t('Steps of the import')}>
      <ol>
        {importSteps.map((step, index) => {
          const isDone = index < at
          const content = (
            <>
              <span className="import-step-mark" aria-hidden="true">
                {isDone ? <Icon of={check} size={14} /> : index + 1}
              </span>
              <span className="import-step-name">{t(stepLabels[step])}</span>
              {isDone && <span className="hidden-text">{t('done')}</span>}
            </>
          )
          return (
            <li key={step} className={isDone ? 'done' : undefined} aria-current={step === shown ? 'step' : undefined}>
              {canOpen(step) ? <a href={`#${step}`}>{content}</a> : <span>{content}</span>}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
