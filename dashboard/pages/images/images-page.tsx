import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { imageFilesOf, type LibraryImage } from '../../../widgets/compose/images/chosen-image.ts'
import { Thumbnail } from '../../../widgets/compose/images/image-picker.tsx'
import { createImageStore, type ImageStore } from '../../../widgets/compose/images/image-store.ts'
import { UploadButton } from '../../../widgets/compose/images/upload-button.tsx'
import { UploadProgress } from '../../../widgets/compose/images/upload-progress.tsx'
import { Bone, EmptyState, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { image as imageIcon, pencil, search as searchIcon, trash } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { DeleteImageDialog } from './delete-image-dialog.tsx'
import { ImageDialog } from './image-dialog.tsx'
import { css } from './images-page.css'

const sheet = createSheet(css)

type OpenDialog = { kind: 'edit' | 'delete'; image: LibraryImage } | null

/** /dashboard/images: the media library. */
export function ImagesPage() {
  const t = useText()
  useSheet(sheet)
  const { session } = useApp()
  const [store] = useState(() => createImageStore(session))
  const [dialog, setDialog] = useState<OpenDialog>(null)
  useEffect(() => {
    return store.start()
  }, [store])
  const add = (files: readonly File[]) => files.forEach((file) => void store.upload(file))
  const close = () => setDialog(null)
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Images')}>
          {t('Images for your messages and templates, each file once. Drop new ones anywhere below.')}
        </ScreenHeader>
        <UploadButton kind="primary" onFiles={add} />
      </div>
      <section
        className="panel images-panel"
        aria-label={t('Images')}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          add(imageFilesOf(event.dataTransfer))
        }}
      >
        <UploadProgress store={store} />
        <Content store={store} onOpen={setDialog} onFiles={add} />
      </section>
      {dialog?.kind === 'edit' && <ImageDialog store={store} image={dialog.image} onClosed={close} />}
      {dialog?.kind === 'delete' && <DeleteImageDialog store={store} image={dialog.image} onClosed={close} />}
    </>
  )
}

function Content({
  store,
  onOpen,
  onFiles,
}: {
  store: ImageStore
  onOpen: (dialog: OpenDialog) => void
  onFiles: (files: File[]) => void
}): ReactNode {
  const t = useText()
  const { status, error, items, totalCount, search, nextCursor } = useSnapshot(store.state, { sync: true })
  if (status === 'loading' && items.length === 0) return <Bones />
  if (status === 'failed' && items.length === 0) {
    const title = t('The images could not be loaded')
    return <ErrorState level={2} title={title} text={error} onRetry={() => void store.load()} />
  }
  if (items.length === 0 && search === '') {
    return (
      <EmptyState
        level={2}
        icon={imageIcon}
        title={t('No images yet')}
        text={t('The images that you upload appear here, and in every message. Upload a JPEG, PNG, GIF, WebP or AVIF.')}
      >
        <UploadButton onFiles={onFiles} />
      </EmptyState>
    )
  }
  return (
    <>
      <div className="images-tools" role="search">
        <input
          type="search"
          aria-label={t('Search images')}
          placeholder={t('Part of a name')}
          autoComplete="off"
          value={search}
          onChange={(event) => store.search(event.currentTarget.value)}
        />
        <span role="status">{t('{count} image|{count} images', { count: totalCount })}</span>
      </div>
      {items.length === 0 && (
        <EmptyState
          level={2}
          icon={searchIcon}
          title={t('Nothing found')}
          text={t('No image has this in its name or its alternative text.')}
        >
          <Button onClick={() => store.search('')}>{t('Clear filters')}</Button>
        </EmptyState>
      )}
      <ul className="images-grid">
        {items.map((image) => (
          <ImageCard key={image.id} image={image} onOpen={onOpen} />
        ))}
      </ul>
      {nextCursor !== null && <Button onClick={() => void store.loadMore()}>{t('Show more')}</Button>}
    </>
  )
}

function ImageCard({ image, onOpen }: { image: LibraryImage; onOpen: (dialog: OpenDialog) => void }) {
  const t = useText()
  const { name, alt, width, height } = image
  return (
    <li className="images-card">
      <Thumbnail image={image} />
      <div className="images-about">
        <b className="images-name" translate="no">
          {name}
        </b>
        <span className="images-fact">{t('{width} × {height} pixels', { width, height })}</span>
        <span className={alt === '' ? 'images-fact missing' : 'images-fact'}>
          {alt === '' ? t('No alternative text') : alt}
        </span>
        <span className="row-actions">
          <Button
            kind="quiet"
            size="small"
            icon={pencil}
            aria-label={t('Edit {name}', { name })}
            onClick={() => onOpen({ kind: 'edit', image })}
          >
            {t('Edit')}
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon={trash}
            aria-label={t('Delete {name}', { name })}
            onClick={() => onOpen({ kind: 'delete', image })}
          >
            {t('Delete')}
          </Button>
        </span>
      </div>
    </li>
  )
}

function Bones() {
  return (
    <Skeleton>
      {['62%', '48%', '70%'].map((width) => (
        <div className="skeleton-row" key={width}>
          <Bone width={width} />
        </div>
      ))}
    </Skeleton>
  )
}
