import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useText } from '../../kit/text/text.tsx'
import type { ComposeStore } from '../compose-types.ts'
import { leave, undoSend } from './held-store.ts'
import { css } from './undo-bar.css'

const sheet = createSheet(css)
const tickMs = 250

/** Undo of the last launch with the seconds that are left for it; said once, so that it does not disturb the reading. */
export function UndoBar({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useText()
  const { held } = useSnapshot(store.state)
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      setNowMs(Date.now())
      const { held } = store.state
      if (held && Date.now() >= held.untilMs) void leave(store)
    }, tickMs)
    return () => clearInterval(timer)
  }, [store])
  if (held === null) return null
  const left = Math.max(0, Math.ceil((held.untilMs - nowMs) / 1000))
  return (
    <p className="undo-bar">
      <Button size="small" onClick={() => void undoSend(store)}>
        {t('Undo')}
      </Button>
      <span className="undo-left" aria-hidden="true">
        {t('{number} s', { number: left })}
      </span>
      <span className="undo-words">
        {t('You can undo this for {count} second.|You can undo this for {count} seconds.', { count: held.seconds })}
      </span>
    </p>
  )
}
