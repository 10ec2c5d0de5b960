import type { ReactNode } from 'react'
import { css } from './banner.css'
import { Icon } from '../icon/icon.tsx'
import { info, circleAlert as error, circleCheck as success, triangleAlert as warn } from '../icon/icons.ts'
import { createSheet, useSheet } from '../shadow/sheet.ts'

const sheet = createSheet(css)
const icons = { info, error, success, warn }

export type BannerKind = keyof typeof icons

/** A sentence that stays in the page until it is no longer true; announced at once unless it is `info`. */
export function Banner({ kind, title, children }: { kind: BannerKind; title: ReactNode; children?: ReactNode }) {
  useSheet(sheet)
  return (
    <div className={`banner ${kind}`} role={kind === 'info' ? 'note' : 'alert'}>
      <Icon of={icons[kind]} />
      <div className="banner-body">
        <div className="banner-title">{title}</div>
        {children}
      </div>
    </div>
  )
}
