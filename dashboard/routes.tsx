import { useEffect, useRef } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { StartPage } from './pages/start-page.tsx'
import { lazyScreen, type LazyScreen } from './shell/lazy-screen.tsx'
import { followLinks } from './shell/links.ts'
import { PublicPage } from './shell/public-page.tsx'

const login = lazyScreen(async () => (await import('./pages/login-page.tsx')).LoginPage)
const signup = lazyScreen(async () => (await import('./pages/signup-page.tsx')).SignupPage)
const reset = lazyScreen(async () => (await import('./pages/reset-page.tsx')).ResetPage)
const confirm = lazyScreen(async () => (await import('./pages/confirm-page.tsx')).ConfirmPage)
const sandbox = lazyScreen(async () => (await import('./pages/sandbox-page.tsx')).SandboxPage)
const guard = lazyScreen(async () => (await import('./shell/guard.tsx')).Guard)

/** The screens under /dashboard, by path. */
const dashboardScreens: Readonly<Record<string, LazyScreen<object>>> = {
  '/dashboard': lazyScreen(async () => (await import('./pages/home-page.tsx')).HomePage),
  '/dashboard/email_config': lazyScreen(async () => (await import('./pages/configs-page.tsx')).ConfigsPage),
  '/dashboard/send_email': lazyScreen(async () => (await import('./pages/send-page.tsx')).SendPage),
}

const dashboardScreenAt = (path: string) => dashboardScreens[path.replace(/(.)\/$/, '$1')]

/** Goes to a path of the product without loading the page anew. */
export function go(path: string, options?: { replace?: boolean }): void {
  navigate(path, options)
}

/** Fetches what the page at a path needs while the session still asks who is there. */
export function preload(path: string): void {
  const screen = dashboardScreenAt(path)
  if (screen === undefined) return
  guard.preload()
  screen.preload()
}

/** Every address of the product (spec §2). Any other leads to /. */
export function Routes() {
  const [path] = useLocation()
  useEffect(() => followLinks(document, go), [])
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    if (location.hash === '') window.scrollTo(0, 0)
    // As after a page load: the next Tab begins at the new screen, and it is read from its start.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }, [path])
  const dashboardScreen = dashboardScreenAt(path)
  if (dashboardScreen !== undefined) {
    return (
      <guard.Screen path={path}>
        <dashboardScreen.Screen key={path} />
      </guard.Screen>
    )
  }
  return (
    <Switch>
      <Route path="/">
        <PublicPage>
          <StartPage />
        </PublicPage>
      </Route>
      <Route path="/login">
        <PublicPage title="Sign in">
          <login.Screen />
        </PublicPage>
      </Route>
      <Route path="/signup">
        <PublicPage title="Create your account">
          <signup.Screen />
        </PublicPage>
      </Route>
      <Route path="/forgot_password/:token?">
        {({ token }) => (
          <PublicPage title="Reset your password">
            <reset.Screen key={token} {...(token !== undefined && { token })} />
          </PublicPage>
        )}
      </Route>
      <Route path="/email_confirm/:token">
        {({ token }) => (
          <PublicPage title="Confirm your email">
            <confirm.Screen key={token} token={token} />
          </PublicPage>
        )}
      </Route>
      <Route path="/sandbox">
        <PublicPage title="Sandbox inbox">
          <sandbox.Screen />
        </PublicPage>
      </Route>
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  )
}
