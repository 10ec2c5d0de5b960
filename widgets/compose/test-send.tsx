import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../kit/button.tsx'
import type { ComposeStore } from './composer.ts'

/** Sends the message as it stands to the signed-in person alone; the draft stays as it is. */
export function TestSend({ store, values }: { store: ComposeStore; values: Readonly<Record<string, string>> }) {
  const { draft } = useSnapshot(store.state)
  const [status, setStatus] = useState<'idle' | 'sending'>('idle')
  const send = async () => {
    setStatus('sending')
    const { sendTest } = await import('./test-store.ts').catch(() => ({ sendTest: null }))
    if (sendTest) await sendTest(store, values)
    else store.notify({ kind: 'error', text: 'The test could not be sent. Check the connection and try again.' })
    setStatus('idle')
  }
  return (
    <Button
      size="small"
      busy={status === 'sending'}
      disabled={draft.from === '' || draft.subject.trim() === '' || draft.messageBody.trim() === ''}
      title={`Sends this message to ${store.testAddress ?? ''} only`}
      onClick={() => void send()}
    >
      Send a test to me
    </Button>
  )
}
