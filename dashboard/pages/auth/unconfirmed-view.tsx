import { useEffect } from 'react'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { mail } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { productName } from '../../content/product.ts'
import { Logo } from '../../shell/logo.tsx'
import { ResendLine } from './resend-line.tsx'
import { SandboxNote } from '../sandbox/sandbox-note.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'

/** In the dashboard's place while the person's address is not confirmed (decisions, Routes and accounts). */
export function UnconfirmedView({ email }: { email: string }) {
  const t = useText()
  const { session } = useApp()
  useEffect(() => {
    document.title = `Check Your Email · ${productName}`
  }, [])
  return (
    <div className="centered-page">
      <header>
        <Logo />
      </header>
      <main className="auth-card view">
        <Icon of={mail} size={32} />
        <h1>{t('Check Your Email')}</h1>
        <p>
          {richText(t, 'We sent a confirmation link to {name}. The dashboard opens after you confirm it.', {
            name: <b>{email}</b>,
          })}
        </p>
        <SandboxNote />
        <ResendLine />
        <div className="view-actions">
          <Button kind="primary" onClick={() => void session.retry()}>
            {t('I have confirmed it')}
          </Button>
          <Button kind="quiet" onClick={() => session.signOut()}>
            {t('Logout')}
          </Button>
        </div>
      </main>
    </div>
  )
}
