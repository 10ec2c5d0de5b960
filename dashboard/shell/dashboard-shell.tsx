import { useEffect, useEffectEvent, useMemo, useRef, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../widgets/kit/form/button.tsx'
import { menu, panelLeft } from '../../widgets/kit/icon/icons.ts'
import { useText } from '../../widgets/kit/text/text.tsx'
import type { Sidebar as SidebarState } from '../preferences.ts'
import { AccountMenu } from './account-menu.tsx'
import { Avatar, type Pictured } from './avatar.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { DocumentPlaces } from './document-bar.tsx'
import { focusLayout } from './focus-layout.ts'
import { Logo } from './logo.tsx'
import { PaletteOpener } from './palette/palette-opener.tsx'
import { SchemeSwitch } from './scheme-switch.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebar } from './use-sidebar.ts'

/** Path of the composer, whose own buttons stand at the bottom of a small screen. */
const composer = '/dashboard/send_email'
/** Screens in the focus layout: a rail, and a document bar in place of the top bar. */
const focusStart = '/dashboard/imports/'

/** Top bar, sidebar and the screen between them. On a small screen a bottom bar opens the sidebar as a sheet. */
export function DashboardShell({ user, path, children }: { user: Pictured; path: string; children: ReactNode }) {
  const t = useText()
  const isFocus = useSnapshot(focusLayout).isChosen || path.startsWith(focusStart)
  const { isNarrow, state: sidebar, set: setSidebar } = useSidebar(isFocus)
  const [head, setHead] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const places = useMemo(() => ({ head, actions }), [head, actions])
  const opener = useRef<Element | null>(null)
  const isOpen = sidebar === 'open'
  const set = (next: SidebarState) => {
    if (isNarrow && next === 'open') opener.current = document.activeElement
    setSidebar(next)
  }
  const isSheetOpen = isNarrow && isOpen
  const closeSheet = () => {
    setSidebar('collapsed')
    if (opener.current instanceof HTMLElement) opener.current.focus()
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => event.key === 'Escape' && closeSheet())
  useEffect(() => {
    if (!isSheetOpen) return
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isSheetOpen])
  const hasBottomBar = isNarrow && path !== composer && !isFocus
  return (
    <DocumentPlaces.Provider value={places}>
      <div className={`shell ${sidebar}${hasBottomBar ? ' has-bottom-bar' : ''}${isFocus ? ' focus' : ''}`}>
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
          {isFocus ? (
            <div className="document-head" ref={setHead} />
          ) : (
            <>
              <Logo />
              <span className="welcome">{t('Welcome, {email}', { email: user.email })}</span>
            </>
          )}
          <PaletteOpener />
          {!isFocus && <Account user={user} isNarrow={isNarrow} />}
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
        {/* Behind the screen: Tab comes to the way on after the fields. */}
        {isFocus && <section className="document-actions" aria-label={t('Actions')} ref={setActions} />}
        {hasBottomBar && <BottomBar path={path} isOpen={isOpen} onMenu={() => (isOpen ? closeSheet() : set('open'))} />}
      </div>
    </DocumentPlaces.Provider>
  )
}

function Account({ user, isNarrow }: { user: Pictured; isNarrow: boolean }) {
  const t = useText()
  return (
    <>
      <SchemeSwitch />
      {isNarrow ? (
        <AccountMenu user={user} />
      ) : (
        <a className="profile-link" href="/dashboard/profile" title={t('Profile')}>
          <Avatar user={user} />
        </a>
      )}
    </>
  )
}
