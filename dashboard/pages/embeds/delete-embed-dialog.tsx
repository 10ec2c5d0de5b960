import { useState } from 'react'
import type { Embed } from '../../../contract/embed/embed.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import type { EmbedStore } from './embed-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Confirms the deletion of an embed. */
export function DeleteEmbedDialog({
  embed,
  store,
  onClosed,
}: {
  embed: Embed
  store: EmbedStore
  onClosed: () => void
}) {
  const t = useText()
  const [isBusy, setIsBusy] = useState(false)
  const remove = () => {
    setIsBusy(true)
    void store.remove().then((isGone) => setIsBusy(isGone))
  }
  return (
    <Dialog title={t('Delete “{name}”?', { name: embed.name })} onClosed={onClosed}>
      {(close) => (
        <>
          <p>
            {t(
              'Its pages stop working at once, because every open session ends. The activity of its sessions is deleted. Sent messages are kept.',
            )}
          </p>
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="danger" busy={isBusy} onClick={remove}>
              {t('Delete')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
