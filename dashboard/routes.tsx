import { useEffect, useRef } from 'react'
import { Redirect, Route, Router, Switch, useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { navigateWhenAllowed } from './navigation-guard.ts'
import { lazyScreen, type LazyScreen } from './shell/lazy-screen.tsx'
import { followLinks } from './shell/links.ts'
import { PageBoundary } from './shell/page-boundary.tsx'
import { PublicPage } from './shell/site/public-page.tsx'
import { useText } from '../widgets/kit/text/text.tsx'

const reset = lazyScreen(async () => (await import('./pages/auth/reset-page.tsx')).ResetPage)
const confirm = lazyScreen(async () => (await import('./pages/auth/confirm-page.tsx')).ConfirmPage)
const consent = lazyScreen(async () => (await import('./pages/embeds/consent-page.tsx')).ConsentPage)
const dashboard = lazyScreen(async () => (await import('./dashboard-routes.tsx')).DashboardRoutes)
const documentation = lazyScreen(
  async () => (await import('./pages/documentation/documentation-page.tsx')).DocumentationPage,
)

/** The public pages without parameters, with their titles. */
const publicScreens: Readonly<Record<string, { screen: LazyScreen<object>; title?: string }>> = {
  '/': { screen: lazyScreen(async () => (await import('./pages/landing/landing-page.tsx')).LandingPage) },
  '/login': {
    title: 'Sign in',
    screen: lazyScreen(async () => (await import('./pages/auth/login-page.tsx')).LoginPage),
  },
  '/signup': {
    title: 'Create your account',
    screen: lazyScreen(async () => (await import('./pages/auth/signup-page.tsx')).SignupPage),
  },
  '/docs': { title: 'Documentation', screen: documentation },
  '/termspage': {
    title: 'Terms and Conditions',
    screen: lazyScreen(async () => (await import('./pages/legal/terms-page.tsx')).TermsPage),
  },
  '/privacypage': {
    title: 'Privacy Policy',
    screen: lazyScreen(async () => (await import('./pages/legal/privacy-page.tsx')).PrivacyPage),
  },
  '/cookiespage': {
    title: 'Cookie Policy',
    screen: lazyScreen(async () => (await import('./pages/legal/cookies-page.tsx')).CookiesPage),
  },
  '/gdprpage': {
    title: 'GDPR',
    screen: lazyScreen(async () => (await import('./pages/legal/gdpr-page.tsx')).GdprPage),
  },
  '/sandbox': {
    title: 'Sandbox inbox',
    screen: lazyScreen(async () => (await import('./pages/sandbox/sandbox-page.tsx')).SandboxPage),
  },
}

const home = <Redirect to="/" replace />
const consentPath = '/embed/authorize'
const isInDashboard = (path: string) => /^\/dashboard(\/|$)/.test(path)
const plain = (path: string) => path.replace(/(.)\/$/, '$1')

/** Navigates to a path of the product without a page load, when the navigation guard of the screen allows it. */
export function go(path: string, options: { replace?: boolean; state?: unknown } = {}): void {
  const leave = () => navigate(path, options)
  // A redirect, as at the end of a session, needs no confirmation.
  if (options.replace === true) leave()
  else navigateWhenAllowed(leave)
}

/** Loads the modules of the page at a path. Rejects when one fails to load. */
export async function load(path: string): Promise<void> {
  const name = plain(path)
  if (isInDashboard(name)) {
    const { loadDashboardScreen } = await import('./dashboard-routes.tsx')
    await Promise.all([dashboard.load(), loadDashboardScreen(name)])
  } else if (name === consentPath) await consent.load()
  else await publicScreens[name]?.screen.load()
}

/** Every address of the product (spec §2). Any other redirects to /. `buildPath` renders one page at build. */
export function Routes({ buildPath }: { buildPath?: string }) {
  return (
    <Router {...(buildPath !== undefined && { ssrPath: buildPath })}>
      <PageBoundary>
        <Screen />
      </PageBoundary>
    </Router>
  )
}

function Screen() {
  const t = useText()
  const [path] = useLocation()
  useEffect(() => {
    return followLinks(document, go)
  }, [])
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    // A screen scrolls to a part that loads later itself.
    const target = document.getElementById(location.hash.slice(1))
    if (target === null) window.scrollTo(0, 0)
    else target.scrollIntoView()
    // As after a page load: the next Tab begins at the new screen, and it is read from its start.
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }, [path])
  const name = plain(path)
  if (isInDashboard(name)) return <dashboard.Screen path={path} name={name} unknown={home} />
  const publicScreen = publicScreens[name]
  if (publicScreen !== undefined) {
    const { screen, title } = publicScreen
    return (
      <PublicPage key={path} {...(title !== undefined && { title: t(title) })}>
        <screen.Screen />
      </PublicPage>
    )
  }
  // A separate window without navigation.
  if (name === consentPath) return <consent.Screen />
  return (
    <Switch>
      <Route path="/forgot_password/:token?">
        {({ token }) => (
          <PublicPage title={t('Reset your password')}>
            <reset.Screen key={token} {...(token !== undefined && { token })} />
          </PublicPage>
        )}
      </Route>
      <Route path="/email_confirm/:token">
        {({ token }) => (
          <PublicPage title={t('Confirm your email')}>
            <confirm.Screen key={token} />
          </PublicPage>
        )}
      </Route>
      <Route>{home}</Route>
    </Switch>
  )
}
