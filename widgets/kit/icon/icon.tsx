import type { LucideIconData } from 'lucide-react/types'
import { createElement } from 'react'
import { css } from './icon.css'
import { createSheet, useSheet } from '../shadow/sheet.ts'

const sheet = createSheet(css)

/** The drawing of a Lucide icon, from icons.ts. */
export type IconData = LucideIconData

/**
 * A Lucide icon with a stroke of 1.5 px at any size, given in px. Hidden from assistive tools: the text beside it or the
 * name of its control has the same meaning. Lucide's own component takes 1,400 B, a quarter of a widget's budget.
 */
export function Icon({ of, size = 18 }: { of: IconData; size?: number }) {
  useSheet(sheet)
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {of.node.map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  )
}
