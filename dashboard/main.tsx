import { useEffect, type ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { subscribe } from 'valtio/vanilla'
import { createStoredSession } from '../client/account/session.ts'
import { AppContext, type App } from './app.ts'
import { trackHistoryPosition } from './history-position.ts'
import { go, load, Routes } from './routes.tsx'
import { createSandboxProbe } from './sandbox-probe.ts'

const wantedKey = 'sendwright-wanted'

const session = createStoredSession({
  apiBase: document.querySelector<HTMLMetaElement>('meta[name=sendwright-api]')?.content ?? '',
  storage: localStorage,
  tabs: window,
  // On a public page a refused token ends the session silently. The dashboard asks for a sign-in and returns to the page.
  onEnded: (reason) => {
    const isInside = location.pathname.startsWith('/dashboard')
    if (reason === 'refused' && isInside) app.wanted.keep(location.pathname + location.search + location.hash)
    if (reason !== 'refused' || isInside) go('/login')
  },
})

const app: App = {
  session,
  go,
  notify: (toast) => void import('./shell/toasts.tsx').then(({ showToast }) => showToast(toast)),
  sandbox: createSandboxProbe(session),
  wanted: {
    keep: (path) => sessionStorage.setItem(wantedKey, path),
    take() {
      const path = sessionStorage.getItem(wantedKey) ?? '/dashboard'
      sessionStorage.removeItem(wantedKey)
      return path
    },
  },
}

// Loaded in advance, so that a lost connection can be reported.
if (location.pathname.startsWith('/dashboard'))
  window.addEventListener('load', () => setTimeout(() => void import('./shell/toasts.tsx').catch(() => undefined), 500))

trackHistoryPosition()
// Runs before the router: a screen with unsaved work can stop the navigation.
window.addEventListener('popstate', (event) => {
  if (!window.dispatchEvent(new Event('sendwright:moved', { cancelable: true }))) event.stopImmediatePropagation()
})

const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the app.')

// For the styles, as first-paint.ts does for the first paint.
subscribe(session.state, () => (document.documentElement.dataset['session'] = session.state.status), true)
const loaded = load(location.pathname)
const tree = (
  <AppContext value={app}>
    <Routes />
  </AppContext>
)
if (place.hasChildNodes()) {
  // Rendered at build: hydrated when its modules have loaded; without them the HTML stays usable.
  loaded.then(() => hydrateRoot(place, <Begin>{tree}</Begin>)).catch(() => undefined)
} else {
  loaded.catch(() => undefined) // Rendering loads it again and shows the failure.
  session.start()
  createRoot(place).render(tree)
}

/** Starts the session after hydration: the page was rendered without a user. */
function Begin({ children }: { children: ReactNode }) {
  useEffect(() => {
    return session.start()
  }, [])
  return children
}
