import { useEffect, useLayoutEffect, useState, type RefObject } from 'react'
import { Icon } from '../../../kit/icon/icon.tsx'
import { image as imageIcon } from '../../../kit/icon/icons.ts'
import { useModule } from '../../../kit/use-module.ts'
import { useMessages } from '../../../kit/text/text.tsx'
import type { BodyTools, ComposeStore } from '../../compose-types.ts'
import { insertSnippet } from '../../editor/snippets.ts'
import { imageFilesOf } from '../../images/chosen-image.ts'

const loadPlace = () => import('./image-place.tsx')
const nothing: readonly File[] = []

/** The tools of HTML mode. They wait while the source cannot be changed. */
export function HtmlTools({
  store,
  area,
  isFixed,
  onTools,
}: {
  store: ComposeStore
  area: RefObject<HTMLTextAreaElement | null>
  isFixed: boolean
  onTools: (tools: BodyTools | null) => void
}) {
  useLayoutEffect(() => {
    if (isFixed) return
    // After the effects: React puts the text that it has rendered back into a box that they change.
    const timer = setTimeout(() =>
      onTools({ apply: (name) => area.current && insertSnippet(area.current, name, true) }),
    )
    return () => {
      clearTimeout(timer)
      onTools(null)
    }
  }, [area, isFixed, onTools])
  return <ImageTool store={store} area={area} />
}

/** The tool for images; images that are pasted or dropped into the source are taken as well. */
function ImageTool({ store, area }: { store: ComposeStore; area: RefObject<HTMLTextAreaElement | null> }) {
  const t = useMessages()
  /** The images to begin with; null while no dialog is open. */
  const [files, setFiles] = useState<readonly File[] | null>(null)
  const place = useModule(loadPlace, files !== null).module
  useEffect(() => {
    const box = area.current
    if (box === null) return
    const ending = new AbortController()
    const take = (event: Event, data: DataTransfer | null) => {
      const images = imageFilesOf(data)
      if (images.length === 0 || box.readOnly) return
      event.preventDefault()
      setFiles(images)
    }
    box.addEventListener('paste', (event) => take(event, event.clipboardData), ending)
    box.addEventListener('drop', (event) => take(event, event.dataTransfer), ending)
    return () => ending.abort()
  }, [area])
  return (
    <>
      <button type="button" className="more" data-needs="images:write" onClick={() => setFiles(nothing)}>
        <Icon of={imageIcon} size={16} />
        {t('Image')}
      </button>
      {place && files && <place.ImagePlace store={store} files={files} area={area} onClosed={() => setFiles(null)} />}
    </>
  )
}
