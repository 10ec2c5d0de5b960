import { useState } from 'react'
import { Button } from '../../widgets/kit/form/button.tsx'
import { mountInShadow } from '../../widgets/kit/shadow/shadow-host.tsx'
import { createSheet, useSheet } from '../../widgets/kit/shadow/sheet.ts'
import { css } from './sign-in-bar.css'
import type { Language } from '../../widgets/lib/messages/messages.ts'
import { useMessages } from '../../widgets/kit/text/text.tsx'

const sheet = createSheet(css)

/** A bar below a widget that offers a sign-in, without a layout shift above it; returns its undo. `onSignIn` rejects with the sentence to show. */
export function showSignIn(frame: HTMLElement, onSignIn: () => Promise<void>, language: Language): () => void {
  const place = document.createElement('div')
  place.style.cssText = 'position: sticky; bottom: 8px; z-index: 1'
  frame.append(place)
  const unmount = mountInShadow(place, <SignInBar onSignIn={onSignIn} />, language)
  return () => {
    unmount()
    place.remove()
  }
}

function SignInBar({ onSignIn }: { onSignIn: () => Promise<void> }) {
  useSheet(sheet)
  const t = useMessages()
  const [status, setStatus] = useState<'idle' | 'open'>('idle')
  const [problem, setProblem] = useState<string | null>(null)
  const begin = async () => {
    setStatus('open')
    setProblem(null)
    try {
      await onSignIn()
    } catch (error) {
      setProblem((error as Error).message)
      setStatus('idle')
    }
  }
  return (
    <div className="bar" role="group" aria-label={t('Sign in')}>
      <p>{t('Sign in to Sendwright to use your own mailbox and templates here.')}</p>
      <Button kind="primary" size="small" busy={status === 'open'} onClick={() => void begin()}>
        {t('Sign In')}
      </Button>
      {problem && <p role="alert">{t(problem)}</p>}
    </div>
  )
}
