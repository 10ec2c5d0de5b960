import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { x } from '../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useMessages } from '../../kit/text/text.tsx'
import type { ImageStore, ImageUpload } from './image-store.ts'
import { css } from './images.css'

const sheet = createSheet(css)

/** The images on their way, each with its progress, and those that were refused, with the reason. */
export function UploadProgress({ store }: { store: ImageStore }) {
  useSheet(sheet)
  const { uploads } = useSnapshot(store.state)
  if (uploads.length === 0) return null
  return (
    <ul className="image-uploads">
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} onDismiss={() => store.dismiss(upload.id)} />
      ))}
    </ul>
  )
}

function UploadRow({ upload: { name, share, problem }, onDismiss }: { upload: ImageUpload; onDismiss: () => void }) {
  const t = useMessages()
  const isRefused = problem !== null
  return (
    <li className={isRefused ? 'image-upload refused' : 'image-upload'}>
      <span className="image-upload-name" translate="no">
        {name}
      </span>
      {isRefused ? (
        <span className="image-upload-problem" role="alert">
          {t(problem)}
        </span>
      ) : (
        <progress aria-label={t('Uploading {name}', { name })} max={1} {...(share < 1 && { value: share })} />
      )}
      <Button
        kind="quiet"
        size="small"
        icon={x}
        aria-label={isRefused ? t('Dismiss {name}', { name }) : t('Cancel the upload of {name}', { name })}
        onClick={onDismiss}
      />
    </li>
  )
}
