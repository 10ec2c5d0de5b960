import { useState } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { useApp } from '../../app.ts'
import { resend } from './resend.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Sends the confirmation mail again and shows the result. */
export function ResendLine() {
  const t = useText()
  const { session } = useApp()
  const [status, setStatus] = useState<'idle' | 'sending'>('idle')
  const [outcome, setOutcome] = useState<string | null>(null)
  const send = async () => {
    setStatus('sending')
    setOutcome(await resend(session))
    setStatus('idle')
  }
  return (
    <div className="resend">
      <Button size="small" busy={status === 'sending'} onClick={() => void send()}>
        {status === 'sending' ? t('Sending...') : t('Send New Confirmation')}
      </Button>
      <span role="status">{outcome ? t(outcome) : t('No mail? Check your spam folder.')}</span>
    </div>
  )
}
