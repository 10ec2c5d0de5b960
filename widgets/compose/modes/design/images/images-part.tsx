import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ImageBlock } from '../../../../../contract/design/design.ts'
import { chooseImage, type ChosenImage } from '../../../images/chosen-image.ts'
import { createImageStore } from '../../../images/image-store.ts'
import { ImagePicker } from '../../../images/image-picker.tsx'
import { UploadProgress } from '../../../images/upload-progress.tsx'
import type { DesignStore, DropPlace } from '../design-store.ts'

/** Pasted and dropped images of the block editor, and the dialog of the library. */
export function ImagesPart({ store }: { store: DesignStore }) {
  const [images] = useState(() => createImageStore(store.session))
  const { picking, given, placed } = useSnapshot(store.state)

  const put = async (file: File, place: DropPlace | null) => {
    const image = await images.upload(file)
    if (image === null) return
    store.insertImage(blockOf(chooseImage(image)), image, place)
  }
  const take = useEffectEvent(() => {
    const waiting = store.takeImages()
    if (waiting) for (const file of waiting.files) void put(file, waiting.place)
  })
  useEffect(() => {
    take()
  }, [given])

  const change = (id: string, image: ChosenImage) =>
    store.update(id, 'image', (block) => (block.type === 'image' ? { ...block, ...blockOf(image) } : block))
  const [first] = placed
  return (
    <>
      <UploadProgress store={images} />
      {picking !== null && (
        <ImagePicker
          store={images}
          onChosen={(image) => change(picking, image)}
          onClosed={() => store.pickImage(null)}
        />
      )}
      {picking === null && first && (
        <ImagePicker
          key={first.id}
          store={images}
          start={first.image}
          onChosen={(image) => change(first.id, image)}
          onClosed={store.describedImage}
        />
      )}
    </>
  )
}

const blockOf = ({ src, alt, width }: ChosenImage): Pick<ImageBlock, 'src' | 'alt' | 'width'> => ({ src, alt, width })
