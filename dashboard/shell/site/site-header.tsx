import { useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { menu, x } from '../../../widgets/kit/icon/icons.ts'
import { useApp } from '../../app.ts'
import { Logo } from '../logo.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Header of the public pages. On small screens a menu toggles the same links. */
export function SiteHeader() {
  const t = useText()
  const { session } = useApp()
  const { user } = useSnapshot(session.state)
  const [state, setState] = useState<'closed' | 'open'>('closed')
  const linksId = useId()
  const isOpen = state === 'open'
  return (
    <header className="site-header">
      <Logo />
      <div className="site-menu">
        <Button
          kind="quiet"
          icon={isOpen ? x : menu}
          aria-label={t('Menu')}
          aria-expanded={isOpen}
          aria-controls={linksId}
          onClick={() => setState(isOpen ? 'closed' : 'open')}
        />
      </div>
      <nav id={linksId} className={`site-links ${state}`} aria-label={t('Site')} onClick={() => setState('closed')}>
        <a href="/#features">{t('Features')}</a>
        <a href="/docs">{t('Documentation')}</a>
        <a href="/dashboard">{t('Dashboard')}</a>
        {user === null && (
          <span className="for-visitors">
            <ButtonLink href="/login" kind="primary">
              {t('Get Started Today')}
            </ButtonLink>
          </span>
        )}
      </nav>
    </header>
  )
}
