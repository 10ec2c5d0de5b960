import { useEffect, useState, type ReactNode } from 'react'
import type { User } from '../../contract/account/account.ts'
import { Button } from '../../widgets/kit/form/button.tsx'
import { menu, panelLeft } from '../../widgets/kit/icon/icons.ts'
import { saveSidebar, readSidebar, type Sidebar as SidebarState } from '../preferences.ts'
import { Avatar } from './avatar.tsx'
import { Logo } from './logo.tsx'
import { PaletteOpener } from './palette/palette-opener.tsx'
import { SchemeSwitch } from './scheme-switch.tsx'
import { Sidebar } from './sidebar.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

/** Width below which the sidebar overlays the screen. */
const narrow = '(max-width: 800px)'

/** Top bar, sidebar and the screen between them. On a small screen the sidebar is closed first and overlays the screen. */
export function DashboardShell({ user, path, children }: { user: User; path: string; children: ReactNode }) {
  const t = useText()
  const [sidebar, setSidebar] = useState<SidebarState>(() => (matchMedia(narrow).matches ? 'collapsed' : readSidebar()))
  const set = (next: SidebarState) => {
    setSidebar(next)
    if (!matchMedia(narrow).matches) saveSidebar(next)
  }
  useEffect(() => {
    const media = matchMedia(narrow)
    const fit = () => setSidebar(media.matches ? 'collapsed' : readSidebar())
    media.addEventListener('change', fit)
    return () => media.removeEventListener('change', fit)
  }, [])
  const isOpen = sidebar === 'open'
  return (
    <div className={`shell ${sidebar}`}>
      <header className="top-bar">
        <Button
          kind="quiet"
          icon={isOpen ? panelLeft : menu}
          aria-label={isOpen ? t('Collapse sidebar') : t('Open sidebar')}
          aria-expanded={isOpen}
          onClick={() => set(isOpen ? 'collapsed' : 'open')}
        />
        <Logo />
        <span className="welcome">{t('Welcome, {email}', { email: user.email })}</span>
        <PaletteOpener />
        <SchemeSwitch />
        <a className="profile-link" href="/dashboard/profile" title={t('Profile')}>
          <Avatar user={user} />
        </a>
      </header>
      <Sidebar
        state={sidebar}
        path={path}
        onOpen={() => set('open')}
        onFollowed={() => matchMedia(narrow).matches && set('collapsed')}
      />
      {isOpen && <div className="overlay" onClick={() => set('collapsed')} />}
      <main className="screen" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
