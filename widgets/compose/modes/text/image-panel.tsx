import { useRef, useState } from 'react'
import type { ComposeStore } from '../../compose-types.ts'
import type { ChosenImage } from '../../images/chosen-image.ts'
import { createImageStore } from '../../images/image-store.ts'
import { ImagePicker } from '../../images/image-picker.tsx'

/** The media library, to put an image into the text. */
export function ImagePanel({
  store,
  files,
  onChosen,
  onClosed,
}: {
  store: ComposeStore
  /** Pasted or dropped images. */
  files: readonly File[]
  onChosen: (image: Pick<ChosenImage, 'src' | 'alt' | 'width'>) => void
  onClosed: () => void
}) {
  const [images] = useState(() => createImageStore(store.session))
  const chosen = useRef<Pick<ChosenImage, 'src' | 'alt' | 'width'>>(null)
  return (
    <ImagePicker
      store={images}
      files={files}
      onChosen={({ src, alt, width }) => (chosen.current = { src, alt, width })}
      // While the dialog is open the text cannot have the focus.
      onClosed={() => (chosen.current ? onChosen(chosen.current) : onClosed())}
    />
  )
}
