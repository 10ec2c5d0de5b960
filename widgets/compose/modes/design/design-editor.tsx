import { memo, useCallback, useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../kit/form/button.tsx'
import { Segmented } from '../../../kit/form/segmented.tsx'
import { redo, undo } from '../../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../kit/shadow/sheet.ts'
import { useText } from '../../../kit/text/text.tsx'
import { useModule } from '../../../kit/use-module.ts'
import { Canvas } from './canvas/canvas.tsx'
import { followDrag, type DropLine } from './canvas/drag.ts'
import { css } from './design-editor.css'
import type { DesignStore } from './design-store.ts'
import { Inspector } from './inspector/inspector.tsx'
import { Toggle } from './inspector/fields.tsx'
import { ListView } from './list-view.tsx'
import { Palette } from './palette.tsx'

const sheet = createSheet(css)
const loadImages = () => import('./images/images-part.tsx')

/** The block editor: what can be added and the list at the left, the mail, and the settings at the right. */
export const DesignEditor = memo(function DesignEditor({ store }: { store: DesignStore }) {
  useSheet(sheet)
  const [line, setLine] = useState<DropLine | null>(null)
  const host = useRef<HTMLElement | null>(null)
  const onHost = useCallback((element: HTMLElement | null) => {
    host.current = element
  }, [])
  const { note } = useSnapshot(store.state)
  const place = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase()
    if (key === '/' && !isTyping(event)) {
      event.preventDefault()
      place.current?.querySelector<HTMLElement>('.design-palette button')?.focus()
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const act = key === 'y' || (key === 'z' && event.shiftKey) ? store.redo : key === 'z' ? store.undo : null
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    store.stopEditing()
    act()
  }
  return (
    <div className="design-editor" ref={place} onKeyDown={onKeyDown}>
      <EditorBar store={store} />
      <Images store={store} />
      <div className="design-panes">
        <div className="design-side">
          <Palette
            store={store}
            onDrag={(event, kind) => followDrag(event, { kind }, { store, host: () => host.current, onLine: setLine })}
          />
          <ListView store={store} />
        </div>
        <Canvas store={store} line={line} onLine={setLine} onHost={onHost} />
        <Inspector store={store} />
      </div>
      <p className="hidden-text" role="status">
        {note}
      </p>
    </div>
  )
})

/** Fetched with the first image. */
function Images({ store }: { store: DesignStore }) {
  const t = useText()
  const { picking, given } = useSnapshot(store.state)
  const { module, retry } = useModule(loadImages, picking !== null || given !== null)
  if (module) return <module.ImagesPart store={store} />
  if (!retry) return null
  return (
    <p className="design-problem" role="alert">
      {t('The images could not be loaded.')} <Button onClick={retry}>{t('Try Again')}</Button>
    </p>
  )
}

function EditorBar({ store }: { store: DesignStore }) {
  const t = useText()
  const { canUndo, canRedo, preview, isDark } = useSnapshot(store.state)
  return (
    <div className="design-bar" role="group" aria-label={t('View')}>
      <Button kind="quiet" size="small" icon={undo} aria-label={t('Undo')} disabled={!canUndo} onClick={store.undo} />
      <Button kind="quiet" size="small" icon={redo} aria-label={t('Redo')} disabled={!canRedo} onClick={store.redo} />
      <Segmented
        label={t('Show the mail as on')}
        options={[
          { value: 'desktop', text: t('Desktop') },
          { value: 'phone', text: t('Phone') },
        ]}
        value={preview}
        onValue={store.setPreview}
      />
      <Toggle label={t('Dark')} value={isDark} onValue={store.setDark} />
    </div>
  )
}

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.nativeEvent.composedPath()
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
