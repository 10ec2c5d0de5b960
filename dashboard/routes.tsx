import { lazy, Suspense, useEffect, type ComponentType } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { PublicPage } from './shell/public-page.tsx'
import { followLinks } from './shell/links.ts'
import { StartPage } from './pages/start-page.tsx'

const LoginPage = lazy(async () => ({ default: (await import('./pages/login-page.tsx')).LoginPage }))
const SignupPage = lazy(async () => ({ default: (await import('./pages/signup-page.tsx')).SignupPage }))
const ConfirmPage = lazy(async () => ({ default: (await import('./pages/confirm-page.tsx')).ConfirmPage }))
const SandboxPage = lazy(async () => ({ default: (await import('./pages/sandbox-page.tsx')).SandboxPage }))
const loadGuard = () => import('./shell/guard.tsx')
const Guard = lazy(async () => ({ default: (await loadGuard()).Guard }))

/** The screens under /dashboard, by path; each is fetched while the guard still asks who is there. */
const dashboardScreens: Readonly<Record<string, Screen>> = {
  '/dashboard': screen(async () => (await import('./pages/home-page.tsx')).HomePage),
  '/dashboard/email_config': screen(async () => (await import('./pages/configs-page.tsx')).ConfigsPage),
  '/dashboard/send_email': screen(async () => (await import('./pages/send-page.tsx')).SendPage),
}

interface Screen {
  Component: ComponentType
  load: () => Promise<ComponentType>
}

function screen(load: Screen['load']): Screen {
  return { load, Component: lazy(async () => ({ default: await load() })) }
}

const screenAt = (path: string) => dashboardScreens[path.replace(/(.)\/$/, '$1')]

/** Fetches what the page at a path needs, before it is drawn. */
export function preload(path: string): void {
  const found = screenAt(path)
  if (found === undefined) return
  void loadGuard()
  void found.load()
}

/** Goes to a path of the product without loading the page anew. */
export function go(path: string, options?: { replace?: boolean }): void {
  navigate(path, options)
}

/** Every address of the product (spec §2). Any other leads to /. */
export function Routes() {
  const [path] = useLocation()
  useEffect(() => followLinks(document, go), [])
  useEffect(() => {
    if (location.hash === '') window.scrollTo(0, 0)
  }, [path])
  const found = screenAt(path)
  return (
    <Suspense fallback={null}>
      {found === undefined ? (
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
        <Guard path={path}>
          <found.Component />
        </Guard>
      )}
    </Suspense>
  )
}
