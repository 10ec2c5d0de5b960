import { useState } from 'react'
import { errorText } from '../../../client/core/http.ts'
import { imageAltMaxChars, imageNameMaxChars } from '../../../contract/files/image.limits.ts'
import { Thumbnail } from '../../../widgets/compose/images/image-picker.tsx'
import type { LibraryImage } from '../../../widgets/compose/images/chosen-image.ts'
import type { ImageStore } from '../../../widgets/compose/images/image-store.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'

/** Name, alternative text and address of an image. */
export function ImageDialog({
  store,
  image,
  onClosed,
}: {
  store: ImageStore
  image: LibraryImage
  onClosed: () => void
}) {
  const t = useText()
  const { notify } = useApp()
  const [name, setName] = useState(image.name)
  const [alt, setAlt] = useState(image.alt)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async (close: () => void) => {
    if (name.trim() === '') {
      setProblem(t('Enter a name'))
      return
    }
    setBusy(true)
    try {
      await store.update(image.id, { name: name.trim(), alt: alt.trim() })
      close()
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('Edit the image')} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          className="images-form"
          onSubmit={(event) => {
            event.preventDefault()
            void save(close)
          }}
        >
          <Thumbnail image={image} />
          <TextField
            label={t('Name')}
            problem={problem}
            maxLength={imageNameMaxChars}
            autoComplete="off"
            value={name}
            onValue={(value) => {
              setName(value)
              setProblem(null)
            }}
          />
          <TextField
            label={t('Alternative text')}
            hint={t('Proposed when the image is put into a message. Messages already written keep theirs.')}
            maxLength={imageAltMaxChars}
            autoComplete="off"
            value={alt}
            onValue={setAlt}
          />
          <div className="images-address">
            <code>{image.url}</code>
            <CopyButton
              text={image.url}
              what={t('address')}
              onCopied={() => notify({ kind: 'success', text: t('Address copied') })}
              onFailed={() =>
                notify({ kind: 'error', text: t('The address could not be copied. Select it and copy it.') })
              }
            />
          </div>
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={busy}>
              {t('Save')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
