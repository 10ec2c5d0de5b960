import type { ReactNode } from 'react'
import { Button } from '../form/button.tsx'
import { Icon, type IconData } from '../icon/icon.tsx'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import { circleX as cross } from '../icon/icons.ts'
import { css } from './states.css'
import { useMessages } from '../text/text.tsx'

const sheet = createSheet(css)

/** Of its heading: 1 in the place of a page; 2 right below the page's own; 3 by default. */
type StateLevel = 1 | 2

/** Shown instead of an empty list: what is missing, and the next step as `children`. */
export function EmptyState({
  icon,
  title,
  text,
  level,
  children,
}: {
  icon: IconData
  title: string
  text?: string
  level?: StateLevel
  children?: ReactNode
}) {
  useSheet(sheet)
  return (
    <div className="state">
      <Icon of={icon} size={28} />
      <h3 aria-level={level}>{title}</h3>
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

/** Shown after a failed load: what happened, why, and 'Try Again' (spec §8). */
export function ErrorState({
  title,
  text,
  level,
  onRetry,
}: {
  title: string
  text: string | null
  level?: StateLevel
  onRetry: () => void
}) {
  useSheet(sheet)
  const t = useMessages()
  return (
    <div className="state error" role="alert">
      <Icon of={cross} size={28} />
      <h3 aria-level={level}>{title}</h3>
      <p>{text}</p>
      <Button onClick={onRetry}>{t('Try Again')}</Button>
    </div>
  )
}

/** A screen that loads: bones in the shape of what comes, as `children`, and 'Loading...' for those who listen. */
export function Skeleton({ children }: { children: ReactNode }) {
  useSheet(sheet)
  const t = useMessages()
  return (
    <div className="skeleton" role="status">
      <span className="hidden-text">{t('Loading...')}</span>
      {children}
    </div>
  )
}

/** One bone of a skeleton; `width` as CSS says it. */
export function Bone({ width }: { width: string }) {
  return <div className="bone" style={{ width }} aria-hidden="true" />
}
