import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { PublicPage } from './shell/public-page.tsx'
import { followLinks } from './shell/links.ts'
import { StartPage } from './pages/start-page.tsx'

const LoginPage = lazy(async () => ({ default: (await import('./pages/login-page.tsx')).LoginPage }))
const SignupPage = lazy(async () => ({ default: (await import('./pages/signup-page.tsx')).SignupPage }))
const ConfirmPage = lazy(async () => ({ default: (await import('./pages/confirm-page.tsx')).ConfirmPage }))
const SandboxPage = lazy(async () => ({ default: (await import('./pages/sandbox-page.tsx')).SandboxPage }))
const Guard = lazy(async () => ({ default: (await import('./shell/guard.tsx')).Guard }))
const HomePage = lazy(async () => ({ default: (await import('./pages/home-page.tsx')).HomePage }))
const ConfigsPage = lazy(async () => ({ default: (await import('./pages/configs-page.tsx')).ConfigsPage }))
const SendPage = lazy(async () => ({ default: (await import('./pages/send-page.tsx')).SendPage }))

/** Goes to a path of the product without loading the page anew. */
export function go(path: string, options?: { replace?: boolean }): void {
  navigate(path, options)
}

/** The screens under /dashboard, by path. */
const dashboardScreens: Readonly<Record<string, ReactNode>> = {
  '/dashboard': <HomePage />,
  '/dashboard/email_config': <ConfigsPage />,
  '/dashboard/send_email': <SendPage />,
}

/** Every address of the product (spec §2). Any other leads to /. */
export function Routes() {
  const [path] = useLocation()
  useEffect(() => followLinks(document, go), [])
  useEffect(() => {
    if (location.hash === '') window.scrollTo(0, 0)
  }, [path])
  const screen = dashboardScreens[path.replace(/(.)\/$/, '$1')]
  return (
    <Suspense fallback={null}>
      {screen === undefined ? (
        <Switch>
          <Route path="/">
            <PublicPage>
              <StartPage />
            </PublicPage>
          </Route>
          <Route path="/login">
            <PublicPage title="Sign in">
              <LoginPage />
            </PublicPage>
          </Route>
          <Route path="/signup">
            <PublicPage title="Create your account">
              <SignupPage />
            </PublicPage>
          </Route>
          <Route path="/email_confirm/:token">
            {({ token }) => (
              <PublicPage title="Confirm your email">
                <ConfirmPage key={token} token={token} />
              </PublicPage>
            )}
          </Route>
          <Route path="/sandbox">
            <PublicPage title="Sandbox inbox">
              <SandboxPage />
            </PublicPage>
          </Route>
          <Route>
            <Redirect to="/" replace />
          </Route>
        </Switch>
      ) : (
        <Guard path={path}>{screen}</Guard>
      )}
    </Suspense>
  )
}
