import { useText } from '../../../widgets/kit/text/text.tsx'
import { percentText } from './import-labels.ts'

/** How far something is, in bytes; announced at each tenth. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  const t = useText()
  const part = total === 0 ? 0 : Math.min(1, done / total)
  const text = percentText(t, part)
  return (
    <div className="import-progress">
      <div className="import-progress-text">
        <span>{label}</span>
        <span>{text}</span>
      </div>
      <div
        className="import-progress-bar"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(part * 100)}
      >
        <div style={{ width: `${part * 100}%` }} />
      </div>
      <span className="hidden-text" role="status">
        {t('{label}: {percent}', { label, percent: percentText(t, Math.floor(part * 10) / 10) })}
      </span>
    </div>
  )
}
