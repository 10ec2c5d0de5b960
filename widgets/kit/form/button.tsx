import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode } from 'react'
import { css } from './button.css'
import { Icon, type IconData } from '../icon/icon.tsx'
import { createSheet, useSheet } from '../shadow/sheet.ts'

const sheet = createSheet(css)

/** `primary` once per screen; `danger` for destructive actions; `quiet` for several in a row. */
export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger'

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  kind?: ButtonKind
  size?: 'normal' | 'small'
  icon?: IconData
  /** Shows a spinner in the icon's place and takes no press. */
  busy?: boolean
  /** Without text, for a button of one icon: give it an `aria-label`. */
  children?: ReactNode
}

/** A button; `type` is `button` unless it says otherwise. */
export function Button({ kind, size, icon, busy = false, children, disabled, type = 'button', ...rest }: ButtonProps) {
  useSheet(sheet)
  const symbol = busy ? <Spinner /> : icon && <Icon of={icon} size={size === 'small' ? 16 : 18} />
  return (
    <button
      {...rest}
      part="button"
      type={type}
      className={buttonClass(kind, size, children === undefined)}
      disabled={busy || disabled}
      aria-busy={busy || undefined}
    >
      {symbol}
      {children}
    </button>
  )
}

/** A link that looks like a button, for what leads somewhere. */
export function ButtonLink({
  kind,
  icon,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & {
  href: string
  kind?: ButtonKind
  icon?: IconData
}) {
  useSheet(sheet)
  return (
    <a {...rest} className={buttonClass(kind)}>
      {icon && <Icon of={icon} />}
      {children}
    </a>
  )
}

/** A turning ring of the size of the text around it. */
export function Spinner() {
  useSheet(sheet)
  return <span className="spinner" aria-hidden="true" />
}

function buttonClass(kind = 'secondary', size = 'normal', square = false): string {
  return `button ${kind} ${size}${square ? ' square' : ''}`
}
