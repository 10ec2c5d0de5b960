import type { ReactNode } from 'react'
import type { RecipientAct } from '../../../../contract/mail/campaign-recipient.ts'

/** Opens the recipients that a figure counts. */
export type ShowPeople = (filter: {
  did?: RecipientAct | ''
  link?: string
  /** Why their mail bounced. */
  reason?: string
  domain?: string
  mailbox?: string
}) => void

/** Share in percent with one digit, or null without a whole. */
export function percent(part: number, whole: number, lang: string | undefined): string | null {
  if (whole === 0) return null
  return (part / whole).toLocaleString(lang, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
}

/** A figure; a button where it counts people. `name`: what it counts; `text`: shown in place of the number. */
export function Figure({
  count,
  name,
  lang,
  text = count.toLocaleString(lang),
  onShow,
}: {
  count: number
  name: string
  lang: string | undefined
  text?: string
  onShow?: (() => void) | undefined
}): ReactNode {
  if (count === 0 || onShow === undefined) return <span className="report-figure">{text}</span>
  return (
    <button type="button" className="report-figure" aria-label={`${name}: ${text}`} onClick={onShow}>
      {text}
    </button>
  )
}
