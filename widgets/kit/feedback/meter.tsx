import { css } from './meter.css'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import { useMessages } from '../text/text.tsx'

const sheet = createSheet(css)

/** Fraction of a quota from which the meter warns. */
const nearPart = 0.9

/** How much of a quota is used. Without a limit it is a number, for a bar would have no end. */
export function Meter({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  useSheet(sheet)
  const t = useMessages()
  if (limit === null) {
    return (
      <div className="meter">
        <span className="meter-text">{t('{sent} sent', { sent: used })}</span>
      </div>
    )
  }
  const part = Math.min(1, used / limit)
  const text = t('{number} of {total}', { number: used, total: limit })
  return (
    <div className="meter">
      <span className="meter-text" aria-hidden="true">
        {text}
      </span>
      <div
        className="meter-bar"
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={text}
      >
        <div className={part >= nearPart ? 'meter-fill near' : 'meter-fill'} style={{ width: `${part * 100}%` }} />
      </div>
    </div>
  )
}
