import { useState } from 'react'
import { errorText } from '../../../client/core/http.ts'
import type { LibraryImage } from '../../../widgets/compose/images/chosen-image.ts'
import type { ImageStore } from '../../../widgets/compose/images/image-store.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'

/** Asks before an image leaves the library, and whether its address stops too. */
export function DeleteImageDialog({
  store,
  image: { id, name },
  onClosed,
}: {
  store: ImageStore
  image: LibraryImage
  onClosed: () => void
}) {
  const t = useText()
  const { notify } = useApp()
  const [isFromWeb, setIsFromWeb] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await store.remove(id, isFromWeb)
      notify({ kind: 'success', text: isFromWeb ? t('Image removed from the web') : t('Image deleted') })
      return true
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
      return false
    } finally {
      setBusy(false)
    }
  }
  return (
    <ConfirmDialog
      title={t('Delete the image {name}?', { name })}
      act={isFromWeb ? t('Remove from the web') : t('Delete')}
      busy={busy}
      onAct={remove}
      onClosed={onClosed}
    >
      <p>{t('It leaves the library. Mails already sent, drafts and templates still show it.')}</p>
      <label className="images-check">
        <input type="checkbox" checked={isFromWeb} onChange={(event) => setIsFromWeb(event.currentTarget.checked)} />
        <span>{t('Remove from the web')}</span>
      </label>
      {isFromWeb && (
        <p className="images-warning" role="alert">
          {t('Mails already sent, drafts and templates with this image will show a gap in its place.')}
        </p>
      )}
    </ConfirmDialog>
  )
}
