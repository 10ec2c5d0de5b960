import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Button } from '../form/button.tsx'
import { css } from './dialog.css'
import { x } from '../icon/icons.ts'
import { createSheet, useSheet } from '../shadow/sheet.ts'
import { useMessages } from '../text/text.tsx'

/** Length of the closing animation. */
const dialogCloseMs = 200

const sheet = createSheet(css)

export interface DialogProps {
  title: string
  /** `wide` for what shows several things beside each other; `full` fills the screen. */
  size?: 'normal' | 'wide' | 'full'
  /** Called once the dialog is gone and the focus is back where it was; take the dialog out then. */
  onClosed: () => void
  /** Draws the content; `close` starts the closing. */
  children: (close: () => void) => ReactNode
}

/**
 * A modal dialog on the platform's element, open while it is in the tree: the platform traps and restores the focus. Esc,
 * the X and a click outside close it, with an animation of 200 ms (spec §9).
 */
export function Dialog({ title, size = 'normal', onClosed, children }: DialogProps) {
  useSheet(sheet)
  const t = useMessages()
  const dialog = useRef<HTMLDialogElement>(null)
  const [phase, setPhase] = useState<'open' | 'closing'>('open')
  const titleId = useId()
  const closed = useRef(onClosed)
  const close = () => setPhase('closing')

  useEffect(() => {
    closed.current = onClosed
  })

  useEffect(() => {
    const element = dialog.current
    const show = () => {
      if (!element?.isConnected) return
      element.showModal()
      // A frame in first position would take the focus and the Esc key.
      if (element.querySelector('iframe:focus')) element.querySelector('button')?.focus()
    }
    // Of a page in a frame, a part may be out of sight.
    if (window.parent === window) show()
    else void import('./place-dialog.ts').then(({ placeDialog }) => element && placeDialog(element)).then(show, show)
    return () => element?.close()
  }, [])

  useEffect(() => {
    if (phase !== 'closing') return
    const timer = setTimeout(() => {
      dialog.current?.close()
      closed.current()
    }, dialogCloseMs)
    return () => clearTimeout(timer)
  }, [phase])

  return (
    <dialog
      ref={dialog}
      part="dialog"
      className={`dialog ${size} ${phase}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault() // The platform would close it at once.
        close()
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current && isBeside(event.nativeEvent, dialog.current)) close()
      }}
    >
      <h2 className="dialog-title" id={titleId}>
        {title}
      </h2>
      {children(close)}
      {/* Last, so that the focus begins at the dialog's own buttons. */}
      <div className="dialog-x">
        <Button kind="quiet" size="small" icon={x} aria-label={t('Close')} onClick={close} />
      </div>
    </dialog>
  )
}

/** The row of buttons at a dialog's foot, the one that acts last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="dialog-actions">{children}</div>
}

/** The backdrop belongs to the dialog element: only the position distinguishes a press on it from one on the padding. */
function isBeside({ clientX, clientY }: MouseEvent, dialog: HTMLElement): boolean {
  const box = dialog.getBoundingClientRect()
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom
}
