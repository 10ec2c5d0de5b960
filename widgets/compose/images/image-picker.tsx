import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { imageAltMaxChars } from '../../../contract/files/image.limits.ts'
import { EmptyState, ErrorState } from '../../kit/feedback/states.tsx'
import { Button } from '../../kit/form/button.tsx'
import { TextField } from '../../kit/form/text-field.tsx'
import { image as imageIcon } from '../../kit/icon/icons.ts'
import { Dialog, DialogActions } from '../../kit/overlay/dialog.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useMessages } from '../../kit/text/text.tsx'
import { chooseImage, imageFilesOf, widthOf, type ChosenImage, type LibraryImage } from './chosen-image.ts'
import type { ImageStore } from './image-store.ts'
import { css } from './images.css'
import { UploadButton } from './upload-button.tsx'
import { UploadProgress } from './upload-progress.tsx'

const sheet = createSheet(css)

/**
 * The media library in a dialog: an image is chosen or uploaded, then its alternative text is asked for. `start`: an image
 * that is chosen already, whose alternative text is asked for at once. `files`: pasted or dropped images, uploaded at once.
 */
export function ImagePicker({
  store,
  start = null,
  files = noFiles,
  onChosen,
  onClosed,
}: {
  store: ImageStore
  start?: LibraryImage | null
  files?: readonly File[]
  onChosen: (image: ChosenImage) => void
  onClosed: () => void
}) {
  useSheet(sheet)
  const t = useMessages()
  const [chosen, setChosen] = useState<LibraryImage | null>(start)
  useEffect(() => {
    return store.start()
  }, [store])
  return (
    <Dialog title={chosen === null ? t('Choose an image') : t('Describe the image')} size="wide" onClosed={onClosed}>
      {(close) =>
        chosen === null ? (
          <Choice store={store} files={files} onChoose={setChosen} />
        ) : (
          <Description
            image={chosen}
            onBack={start === null ? () => setChosen(null) : undefined}
            onDone={(alt, isAttached) => {
              // The library proposes it the next time; the message has its own.
              if (alt !== chosen.alt) store.update(chosen.id, { alt }).catch(() => undefined)
              onChosen(chooseImage({ ...chosen, alt }, isAttached))
              close()
            }}
          />
        )
      }
    </Dialog>
  )
}

const noFiles: readonly File[] = []

function Choice({
  store,
  files,
  onChoose,
}: {
  store: ImageStore
  files: readonly File[]
  onChoose: (image: LibraryImage) => void
}) {
  const t = useMessages()
  const { status, error, items, search, nextCursor } = useSnapshot(store.state, { sync: true })
  const [isOver, setIsOver] = useState(false)
  const add = async (given: readonly File[]) => {
    const added = await Promise.all(given.map((file) => store.upload(file)))
    const only = given.length === 1 ? added[0] : null
    if (only) onChoose(only)
  }
  const addGiven = useEffectEvent(() => void add(files))
  useEffect(() => {
    addGiven()
  }, [])
  return (
    <div
      className={isOver ? 'image-choice over' : 'image-choice'}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        void add(imageFilesOf(event.dataTransfer))
      }}
    >
      <div className="image-tools">
        <UploadButton kind="primary" onFiles={(files) => void add(files)} />
        <input
          type="search"
          className="control"
          aria-label={t('Search images')}
          placeholder={t('Part of a name')}
          autoComplete="off"
          value={search}
          onChange={(event) => store.search(event.currentTarget.value)}
        />
      </div>
      <UploadProgress store={store} />
      {status === 'failed' && (
        <ErrorState title={t('The images could not be loaded')} text={error} onRetry={() => void store.load()} />
      )}
      {status === 'ready' && items.length === 0 && (
        <EmptyState
          icon={imageIcon}
          title={search === '' ? t('No images yet') : t('Nothing found')}
          text={t('Upload a JPEG, PNG, GIF, WebP or AVIF, or drop it here.')}
        />
      )}
      <ul className="image-grid">
        {items.map((image) => (
          <li key={image.id}>
            <button type="button" className="image-tile" onClick={() => onChoose(image)}>
              <Thumbnail image={image} />
              <span className="image-name" translate="no">
                {image.name}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {nextCursor !== null && <Button onClick={() => void store.loadMore()}>{t('Show more')}</Button>}
    </div>
  )
}

/** A small picture of an image; its name is beside it. */
export function Thumbnail({ image: { url, width } }: { image: Pick<LibraryImage, 'url' | 'width'> }) {
  return (
    <span className="image-thumb">
      <img src={widthOf(url, Math.min(width, 600))} alt="" loading="lazy" />
    </span>
  )
}

function Description({
  image,
  onBack,
  onDone,
}: {
  image: LibraryImage
  onBack: (() => void) | undefined
  onDone: (alt: string, isAttached: boolean) => void
}) {
  const t = useMessages()
  const [alt, setAlt] = useState(image.alt)
  const [isAttached, setAttached] = useState(false)
  const noteId = useId()
  const done = () => onDone(alt.trim(), isAttached)
  return (
    // No form: the composer around it is one, and forms inside each other are not submitted apart.
    <div
      className="image-description"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        done()
      }}
    >
      <Thumbnail image={image} />
      <TextField
        label={t('Alternative text')}
        hint={t('Read aloud, and shown where images are blocked. Leave it empty only for decoration.')}
        value={alt}
        maxLength={imageAltMaxChars}
        autoComplete="off"
        autoFocus
        onValue={setAlt}
      />
      <div>
        <label className="image-attached">
          <input
            type="checkbox"
            checked={isAttached}
            aria-describedby={noteId}
            onChange={(event) => setAttached(event.currentTarget.checked)}
          />
          {t('Attach it to the mail')}
        </label>
        <p id={noteId} className="hint">
          {t('It is shown without loading anything from the web; each mail is larger by its size.')}
        </p>
      </div>
      <DialogActions>
        {onBack && <Button onClick={onBack}>{t('Back')}</Button>}
        <Button kind="primary" onClick={done}>
          {t('Insert the image')}
        </Button>
      </DialogActions>
    </div>
  )
}
