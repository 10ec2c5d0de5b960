import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { notLoaded } from '../../lib/compose-messages.ts'
import type { ComposeStore } from '../compose-types.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** Sends the current message to one address, the user's own; the draft does not change. */
export function TestSend({
  store,
  address,
  values,
}: {
  store: ComposeStore
  address: string
  values: Readonly<Record<string, string>>
}) {
  const t = useMessages()
  const { draft } = useSnapshot(store.state)
  const [status, setStatus] = useState<'idle' | 'sending'>('idle')
  const send = async () => {
    setStatus('sending')
    const { sendTest } = await import('./test-store.ts').catch(() => ({ sendTest: null }))
    if (sendTest) await sendTest(store, address, values)
    else store.notify({ kind: 'error', text: notLoaded })
    setStatus('idle')
  }
  return (
    <Button
      size="small"
      busy={status === 'sending'}
      disabled={draft.from === '' || draft.subject.trim() === '' || draft.messageBody.trim() === ''}
      data-needs="mail:send"
      title={address && t('Sends this message to {address} only', { address })}
      onClick={() => void send()}
    >
      {t('Send a test to me')}
    </Button>
  )
}
