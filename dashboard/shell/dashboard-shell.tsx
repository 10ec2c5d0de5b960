import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../widgets/kit/form/button.tsx'
import { menu, panelLeft } from '../../widgets/kit/icon/icons.ts'
import { saveSidebar, readSidebar, type Sidebar as SidebarState } from '../preferences.ts'
import { AccountMenu } from './account-menu.tsx'
import { Avatar, type Pictured } from './avatar.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Logo } from './logo.tsx'
import { PaletteOpener } from './palette/palette-opener.tsx'
import { SchemeSwitch } from './scheme-switch.tsx'
import { Sidebar } from './sidebar.tsx'
import { useText } from '../../widgets/kit/text/text.tsx'

/** Where the sidebar is a sheet over the screen instead of beside it. */
const narrow = '(max-width: 800px)'

/** Path of the composer, whose own buttons stand at the bottom of a small screen. */
const composer = '/dashboard/send_email'

/** Top bar, sidebar and the screen between them. On a small screen a bottom bar opens the sidebar as a sheet. */
export function DashboardShell({ user, path, children }: { user: Pictured; path: string; children: ReactNode }) {
  const t = useText()
  const [isNarrow, setIsNarrow] = useState(() => matchMedia(narrow).matches)
  const [sidebar, setSidebar] = useState<SidebarState>(() => (isNarrow ? 'collapsed' : readSidebar()))
  const opener = useRef<Element | null>(null)
  const isOpen = sidebar === 'open'
  const set = (next: SidebarState) => {
    setSidebar(next)
    if (!isNarrow) saveSidebar(next)
    else if (next === 'open') opener.current = document.activeElement
  }
  useEffect(() => {
    const media = matchMedia(narrow)
    const fit = () => {
      setIsNarrow(media.matches)
      setSidebar(media.matches ? 'collapsed' : readSidebar())
    }
    media.addEventListener('change', fit)
    return () => media.removeEventListener('change', fit)
  }, [])
  const isSheetOpen = isNarrow && isOpen
  const closeSheet = () => {
    setSidebar('collapsed')
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  useEffect(() => {
    if (!isSheetOpen) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && closeSheet()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isSheetOpen])
  const hasBottomBar = isNarrow && path !== composer
  return (
    <div className={`shell ${sidebar}${hasBottomBar ? ' has-bottom-bar' : ''}`}>
      <header className="top-bar">
        {!hasBottomBar && (
          <Button
            kind="quiet"
            icon={isOpen ? panelLeft : menu}
            aria-label={isOpen ? t('Collapse sidebar') : t('Open sidebar')}
            aria-expanded={isOpen}
            onClick={() => set(isOpen ? 'collapsed' : 'open')}
          />
        )}
        <Logo />
        <span className="welcome">{t('Welcome, {email}', { email: user.email })}</span>
        <PaletteOpener />
        <SchemeSwitch />
        {isNarrow ? (
          <AccountMenu user={user} />
        ) : (
          <a className="profile-link" href="/dashboard/profile" title={t('Profile')}>
            <Avatar user={user} />
          </a>
        )}
      </header>
      <Sidebar
        state={sidebar}
        isSheet={isNarrow}
        path={path}
        onOpen={() => set('open')}
        onFollowed={() => isNarrow && setSidebar('collapsed')}
      />
      {isSheetOpen && <div className="overlay" onClick={closeSheet} />}
      <main className="screen" tabIndex={-1}>
        {children}
      </main>
      {hasBottomBar && <BottomBar path={path} isOpen={isOpen} onMenu={() => (isOpen ? closeSheet() : set('open'))} />}
    </div>
  )
}
