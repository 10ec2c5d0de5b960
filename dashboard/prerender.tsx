import { renderToString } from 'react-dom/server'
import { createStoredSession } from '../client/account/session.ts'
import { AppContext, type App } from './app.ts'
import { heroLetter } from './pages/landing/hero.tsx'
import { landingSections } from './pages/landing/landing-page.tsx'
import { NotFoundPage } from './pages/not-found/not-found-page.tsx'
import { load, Routes } from './routes.tsx'
import { siteFooter } from './shell/site/public-page.tsx'
import { createSandboxProbe } from './sandbox-probe.ts'

// Runs while the product is built, never in a browser: commands/build/pages.ts calls it.

const nothing = () => undefined
const session = createStoredSession({
  apiBase: '',
  storage: { getItem: () => null, setItem: nothing, removeItem: nothing },
  tabs: new EventTarget(),
  onEnded: nothing,
})

/** Props of the screens at build. */
const app: App = {
  session,
  go: nothing,
  notify: nothing,
  sandbox: createSandboxProbe(session),
  wanted: { keep: nothing, take: () => '/dashboard' },
}

/** The HTML of a public page, as its first drawing in a visitor's browser makes it. */
export async function renderPage(path: string): Promise<string> {
  await Promise.all([load(path), siteFooter.load(), heroLetter.load(), landingSections.load()])
  return renderToString(
    <AppContext value={app}>
      <Routes buildPath={path} />
    </AppContext>,
  )
}

/** The HTML of the not-found page; it runs no script. */
export function renderNotFound(): string {
  return renderToString(<NotFoundPage />)
}

export { sitePages } from './site-pages.ts'
