import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useText } from '../../kit/text/text.tsx'
import { css } from '../campaign/campaign-dialog.css'
import type { ComposeStore } from '../compose-types.ts'
import { LaterDialog } from '../schedule/later-dialog.tsx'
import { CheckPanel } from './check-panel.tsx'
import { TestDialog } from './test-dialog.tsx'
import { useFooter } from './use-footer.ts'

const sheet = createSheet(css)

/** Parts outside the form, whose keys do not launch: tests to others, the check, and the dialog for a later time. */
export function SideParts({ store, isWriting }: { store: ComposeStore; isWriting: boolean }) {
  useSheet(sheet)
  useFooter(store)
  const t = useText()
  const { status, draft, senderId } = useSnapshot(store.state)
  const [isTesting, setTesting] = useState(false)
  const isBlank = senderId === '' || draft.subject.trim() === '' || draft.messageBody.trim() === ''
  return (
    <>
      {isWriting && (
        <>
          <Button size="small" data-needs="mail:send" disabled={isBlank} onClick={() => setTesting(true)}>
            {t('Send a test')}
          </Button>
          <CheckPanel store={store} />
        </>
      )}
      {isTesting && <TestDialog store={store} onClosed={() => setTesting(false)} />}
      {status === 'later' && <LaterDialog store={store} />}
    </>
  )
}
