import { useRef } from 'react'
import { Button, type ButtonKind } from '../../kit/form/button.tsx'
import { upload as uploadIcon } from '../../kit/icon/icons.ts'
import { useMessages } from '../../kit/text/text.tsx'
import { acceptedImages } from './chosen-image.ts'

/** Opens the file dialog of the platform for images. */
export function UploadButton({ kind, onFiles }: { kind?: ButtonKind; onFiles: (files: File[]) => void }) {
  const t = useMessages()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...(kind && { kind })} icon={uploadIcon} onClick={() => input.current?.click()}>
        {t('Upload images')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={acceptedImages}
        onChange={(event) => {
          const files = Array.from(event.currentTarget.files ?? [])
          event.currentTarget.value = ''
          onFiles(files)
        }}
      />
    </>
  )
}
