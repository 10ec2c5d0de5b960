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
const guard = lazyScreen(async () => (await import('./shell/guard.tsx')).Guard)
const documentation = lazyScreen(
  async () => (await import('./pages/documentation/documentation-page.tsx')).DocumentationPage,
)
const globalTemplates = lazyScreen(
  async () => (await import('./pages/templates/global-templates-page.tsx')).GlobalTemplatesPage,
)

type Screens = Readonly<Record<string, LazyScreen<object>>>

/** The screens under /dashboard, by path. Both spellings of the global templates are on record (spec §2). */
const dashboardScreens: Screens = {
  '/dashboard': lazyScreen(async () => (await import('./pages/home/home-page.tsx')).HomePage),
  '/dashboard/profile': lazyScreen(async () => (await import('./pages/profile/profile-page.tsx')).ProfilePage),
  '/dashboard/email_config': lazyScreen(
    async () => (await import('./pages/mailboxes/mailboxes-page.tsx')).MailboxesPage,
  ),
  '/dashboard/send_email': lazyScreen(async () => (await import('./pages/compose/send-page.tsx')).SendPage),
  '/dashboard/campaigns': lazyScreen(async () => (await import('./pages/campaigns/campaigns-page.tsx')).CampaignsPage),
  '/dashboard/suppressions': lazyScreen(
    async () => (await import('./pages/suppressions/suppressions-page.tsx')).SuppressionsPage,
  ),
  '/dashboard/documentation': documentation,
  '/dashboard/templates': lazyScreen(async () => (await import('./pages/templates/templates-page.tsx')).TemplatesPage),
  '/dashboard/create': lazyScreen(async () => (await import('./pages/designer/designer-page.tsx')).DesignerPage),
  '/dashboard/embeds': lazyScreen(async () => (await import('./pages/embeds/embeds-page.tsx')).EmbedsPage),
  '/dashboard/globalTemplates': globalTemplates,
  '/dashboard/GlobalTemplates': globalTemplates,
  '/dashboard/contacts': lazyScreen(async () => (await import('./pages/contacts/contacts-page.tsx')).ContactsPage),
  '/dashboard/contacts/fields': lazyScreen(async () => (await import('./pages/fields/fields-page.tsx')).FieldsPage),
  '/dashboard/lists': lazyScreen(async () => (await import('./pages/lists/lists-page.tsx')).ListsPage),
  '/dashboard/segments': lazyScreen(async () => (await import('./pages/segments/segments-page.tsx')).SegmentsPage),
}

/** Screens under /dashboard whose path ends with an id. */
const screensById: Readonly<Record<string, LazyScreen<{ id: string }>>> = {
  '/dashboard/contacts/': lazyScreen(async () => (await import('./pages/contact/contact-page.tsx')).ContactPage),
  '/dashboard/segments/': lazyScreen(async () => (await import('./pages/segments/segment-page.tsx')).SegmentPage),
  '/dashboard/imports/': lazyScreen(async () => (await import('./pages/imports/import-page.tsx')).ImportPage),
}

/** The screen of a path that ends with an id. */
function findScreenById(path: string): { screen: LazyScreen<{ id: string }>; id: string } | undefined {
  const [, start = '', id = ''] = /^(.*\/)(\w+)$/.exec(path) ?? []
  const screen = screensById[start]
  return screen && { screen, id }
}

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

const consentPath = '/embed/authorize'
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
  const dashboardScreen = dashboardScreens[name]
  const found = dashboardScreen ?? findScreenById(name)?.screen
  if (found !== undefined) await Promise.all([guard.load(), found.load()])
  else if (name === consentPath) await consent.load()
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
  useEffect(() => followLinks(document, go), [])
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
  const dashboardScreen = dashboardScreens[name]
  if (dashboardScreen !== undefined) {
    return (
      <guard.Screen path={path}>
        <dashboardScreen.Screen key={path} />
      </guard.Screen>
    )
  }
  const byId = findScreenById(name)
  if (byId !== undefined) {
    return (
      <guard.Screen path={path}>
        <byId.screen.Screen key={path} id={byId.id} />
      </guard.Screen>
    )
  }
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
      <Route>
        <Redirect to="/" replace />
      </Route>
    </Switch>
  )
}
