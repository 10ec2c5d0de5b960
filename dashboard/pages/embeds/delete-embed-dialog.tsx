import { useState } from 'react'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import type { EmbedStore } from './embed-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Confirms the deletion of an embed. */
export function DeleteEmbedDialog({
  name,
  store,
  onClosed,
}: {
  name: string
  store: EmbedStore
  onClosed: () => void
}) {
  const t = useText()
  const [isBusy, setIsBusy] = useState(false)
  const remove = async () => {
    setIsBusy(true)
    const isGone = await store.remove()
    setIsBusy(isGone)
    return isGone
  }
  return (
    <ConfirmDialog
      title={t('Delete “{name}”?', { name })}
      act={t('Delete')}
      busy={isBusy}
      onAct={remove}
      onClosed={onClosed}
    >
      <p>
        {t(
          'Its pages stop working at once, because every open session ends. The activity of its sessions is deleted. Sent messages are kept.',
        )}
      </p>
    </ConfirmDialog>
  )
}
