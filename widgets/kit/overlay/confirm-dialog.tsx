import type { ReactNode } from 'react'
import { Button, type ButtonKind } from '../form/button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { useMessages } from '../text/text.tsx'

export interface ConfirmDialogProps {
  title: string
  /** On the button that acts, such as 'Delete'. */
  act: string
  /** On the button that leaves all as it is. */
  keep?: string
  /** `danger` (default) for what destroys. */
  kind?: Extract<ButtonKind, 'primary' | 'danger'>
  busy: boolean
  /** Does it; resolves to whether the dialog has nothing left to ask. */
  onAct: () => Promise<boolean>
  onClosed: () => void
  /** What will be lost or changed. */
  children: ReactNode
}

/** Asks before something is done that cannot simply be taken back. */
export function ConfirmDialog({
  title,
  act,
  keep,
  kind = 'danger',
  busy,
  onAct,
  onClosed,
  children,
}: ConfirmDialogProps) {
  const t = useMessages()
  return (
    <Dialog title={title} onClosed={onClosed}>
      {(close) => (
        <>
          {children}
          <DialogActions>
            <Button onClick={close}>{keep ?? t('Cancel')}</Button>
            <Button kind={kind} busy={busy} onClick={() => void onAct().then((isDone) => isDone && close())}>
              {act}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
