import { useCallback, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { Design } from '../../../../contract/design/design.ts'
import { isNewerDesign } from '../../../../mail-design/migrate.ts'
import { Banner } from '../../../kit/feedback/banner.tsx'
import { useText } from '../../../kit/text/text.tsx'
import type { BodyTools, ComposeStore } from '../../compose-types.ts'
import { DesignMode } from './design-mode.tsx'
import type { DesignStore } from './design-store.ts'
import { createDesignTools } from './design-tools.ts'
import { createDesignWriter } from './design-writer.ts'
import { SizeWarning } from './size-warning.tsx'

/** The message as blocks, inside the form of the composer. */
export function DesignBody({ store, onTools }: { store: ComposeStore; onTools: (tools: BodyTools | null) => void }) {
  const t = useText()
  const { design, messageBody } = useSnapshot(store.state).draft
  const [writer] = useState(() => createDesignWriter(store))
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => writer.begin(), [writer])
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
  if (isNewerDesign(design))
    return (
      <Banner kind="info" title={t('The design of this message can only be read')}>
        {t('A newer edition of the product has made it. Saving leaves the design as it is.')}
      </Banner>
    )
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
