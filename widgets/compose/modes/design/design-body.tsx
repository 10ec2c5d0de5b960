import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { Design } from '../../../../contract/design/design.ts'
import { Banner } from '../../../kit/feedback/banner.tsx'
import { createSheet, useSheet } from '../../../kit/shadow/sheet.ts'
import { useText } from '../../../kit/text/text.tsx'
import type { BodyTools, ComposeStore } from '../../compose-types.ts'
import { css } from './design-body.css'
import { DesignMode } from './design-mode.tsx'
import type { DesignStore } from './design-store.ts'
import { createDesignTools } from './design-tools.ts'
import { createDesignWriter } from './design-writer.ts'
import { SizeWarning } from './size-warning.tsx'

const sheet = createSheet(css)

/** The message as blocks, inside the form of the composer. */
export function DesignBody({ store, onTools }: { store: ComposeStore; onTools: (tools: BodyTools | null) => void }) {
  const { design, newer, messageBody } = useSnapshot(store.state).draft
  const [writer] = useState(() => createDesignWriter(store))
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    return writer.begin()
  }, [writer])
  const hold = useCallback(
    (blocks: DesignStore | null) => onTools(blocks && createDesignTools(blocks, () => place.current)),
    [onTools],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter in a field of the form would launch the message.
    const [target] = event.nativeEvent.composedPath()
    const isPlain = !event.ctrlKey && !event.metaKey
    if (event.key === 'Enter' && isPlain && target instanceof HTMLInputElement) event.preventDefault()
  }
  if (design === null && newer) return <NewerDesign store={store} />
  return (
    <div ref={place} className="design-body" onKeyDown={onKeyDown}>
      <DesignMode
        session={store.session}
        design={(design as Design | null) ?? writer.blank}
        read={writer.read}
        onDesign={writer.change}
        onStore={hold}
      />
      <SizeWarning html={messageBody} />
    </div>
  )
}

/** Why a design of a newer edition cannot be edited. The preheader of a saved one is part of it, and is read-only too. */
function NewerDesign({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useText()
  const { draft, edited } = useSnapshot(store.state)
  const isSaved = Boolean(edited)
  useEffect(() => {
    if (!isSaved) return
    const { readonly } = store.state
    store.set({ readonly: [...readonly, 'preheader'] })
    return () => store.set({ readonly })
  }, [store, isSaved])
  return (
    <div className="newer-design">
      <Banner kind="info" title={t('The design of this message can only be read')}>
        {t(
          draft.messageBody === ''
            ? 'A newer edition of the product has made it, and no HTML was kept with it that could be sent. Saving leaves it as it is. Reload the page to get the newer edition.'
            : 'A newer edition of the product has made it. Saving leaves it as it is, and it is sent as the preview shows it. To edit it, reload the page to get the newer edition, or switch to HTML.',
        )}{' '}
        {isSaved && t('The preheader is part of the design.')}
      </Banner>
    </div>
  )
}
