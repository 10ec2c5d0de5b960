import { useEffect, useState } from 'react'
import { Button } from '../../../../widgets/kit/form/button.tsx'
import { Dialog, DialogActions } from '../../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { guardHistory } from '../../../../widgets/lib/history/guard-history.ts'
import { setNavigationGuard } from '../../../navigation-guard.ts'
import type { SegmentStore } from './segment-store.ts'

/** Asks before unsaved rules are left: by a dialog for links, by the browser's own question for the rest. */
export function useLeaveQuestion(store: SegmentStore) {
  const t = useText()
  const [leave, setLeave] = useState<{ go: () => void } | null>(null)
  useEffect(() => {
    const ask = (go: () => void) => {
      if (!store.isDirty()) return false
      setLeave({ go })
      return true
    }
    const stop = setNavigationGuard(ask)
    const stopHistory = guardHistory(ask)
    const onUnload = (event: BeforeUnloadEvent) => {
      if (store.isDirty()) event.preventDefault()
    }
    window.addEventListener('beforeunload', onUnload)
    return () => {
      stop()
      stopHistory()
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [store])
  return (
    leave && (
      <Dialog title={t('Leave without saving?')} onClosed={() => setLeave(null)}>
        {(close) => (
          <>
            <p>{t('The changes of this segment are not saved. They are lost when you leave.')}</p>
            <DialogActions>
              <Button onClick={leave.go}>{t('Leave')}</Button>
              <Button kind="primary" onClick={close}>
                {t('Stay')}
              </Button>
            </DialogActions>
          </>
        )}
      </Dialog>
    )
  )
}
