import { useEffect, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { ErrorState } from '../../widgets/kit/feedback/states.tsx'
import { TextProvider, useText } from '../../widgets/kit/text/text.tsx'
import { useApp } from '../app.ts'
import { syncPreferences } from '../preference-sync.ts'
import { DashboardShell } from './dashboard-shell.tsx'
import { lazyScreen } from './lazy-screen.tsx'

const unconfirmed = lazyScreen(async () => (await import('../pages/auth/unconfirmed-view.tsx')).UnconfirmedView)

/**
 * Guards everything under /dashboard: renders nothing while authentication loads, /login for a visitor, 'Check Your Email'
 * for a person whose address is not confirmed (spec §2, decisions).
 */
export function Guard({ path, children }: { path: string; children: ReactNode }) {
  const t = useText()
  const { session, go, wanted } = useApp()
  const { status, user, trouble } = useSnapshot(session.state)
  // Before the first render of the shell, which shows the preferences of the user's other devices.
  const [endSync] = useState(() => syncPreferences(session))
  useEffect(() => {
    return endSync
  }, [endSync])
  const isVisitor = status === 'visitor'
  useEffect(() => {
    if (!isVisitor) return
    if (path !== '/dashboard') wanted.keep(path + location.search + location.hash)
    go('/login', { replace: true })
  }, [isVisitor, path, go, wanted])

  if (status === 'loading' || isVisitor) return null
  if (user === null) {
    return (
      <main className="centered-page">
        <ErrorState title={t('Not signed in yet')} text={trouble} onRetry={() => void session.retry()} />
      </main>
    )
  }
  if (!user.confirmed_email) return <unconfirmed.Screen email={user.email} />
  return (
    <TextProvider>
      <DashboardShell user={user} path={path}>
        {children}
      </DashboardShell>
    </TextProvider>
  )
}
