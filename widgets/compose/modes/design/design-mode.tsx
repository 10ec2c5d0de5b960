import { useEffect, useEffectEvent, useState } from 'react'
import type { Session } from '../../../../client/core/http.ts'
import type { Design } from '../../../../contract/design/design.ts'
import { useText } from '../../../kit/text/text.tsx'
import { DesignEditor } from './design-editor.tsx'
import { createDesignStore, type DesignStore } from './design-store.ts'

export interface DesignModeProps {
  session: Session
  design: Design
  /** The design as it is now; a render may come later. */
  read: () => Design | null
  onDesign: (design: Design) => void
  /** Takes the editor's store, for tools outside it; null when the editor goes. */
  onStore?: (store: DesignStore | null) => void
}

/** The block editor of one message; a design that comes from elsewhere, such as a template, is a step that can be undone. */
export function DesignMode({ session, design, read, onDesign, onStore }: DesignModeProps) {
  const t = useText()
  const [store] = useState(() => createDesignStore({ session, design, t }))
  useEffect(() => {
    store.setListener(onDesign)
  })
  useEffect(() => {
    onStore?.(store)
    return () => onStore?.(null)
  }, [store, onStore])
  const follow = useEffectEvent(() => {
    const current = read()
    if (current !== null && current !== store.design()) store.replace(current)
  })
  useEffect(() => {
    follow()
  }, [design])
  return <DesignEditor store={store} />
}
