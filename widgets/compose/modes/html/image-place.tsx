import { useRef, useState, type RefObject } from 'react'
import type { ComposeStore } from '../../compose-types.ts'
import { insertCode } from '../../editor/snippets.ts'
import { imageHtml, type ChosenImage } from '../../images/chosen-image.ts'
import { ImagePicker } from '../../images/image-picker.tsx'
import { createImageStore } from '../../images/image-store.ts'

/** The media library; the chosen image becomes code at the caret of a source. */
export function ImagePlace({
  store,
  files,
  area,
  onClosed,
}: {
  store: ComposeStore
  files: readonly File[]
  area: RefObject<HTMLTextAreaElement | null>
  onClosed: () => void
}) {
  const [images] = useState(() => createImageStore(store.session))
  const chosen = useRef<ChosenImage>(null)
  // A box that loses its focus to a dialog may lose its selection too.
  const [caret] = useState(() => [area.current?.selectionStart ?? 0, area.current?.selectionEnd ?? 0] as const)
  return (
    <ImagePicker
      store={images}
      files={files}
      onChosen={(image) => (chosen.current = image)}
      onClosed={() => {
        onClosed()
        // While the dialog is open the source cannot have the focus.
        if (!chosen.current || !area.current) return
        area.current.setSelectionRange(...caret)
        insertCode(area.current, imageHtml(chosen.current))
      }}
    />
  )
}
