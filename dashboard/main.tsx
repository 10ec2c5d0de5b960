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
  // A refused token on a public page ends quietly. In the dashboard it is asked for again, and leads back to the place.
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

trackHistoryPosition()
// Before whoever draws the screens hears of it: a screen with unsaved work may want to stay.
window.addEventListener('popstate', (event) => {
  if (!window.dispatchEvent(new Event('sendwright:moved', { cancelable: true }))) event.stopImmediatePropagation()
})

const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the app.')

// Styles know who is there, as first-paint.ts tells them first.
subscribe(session.state, () => (document.documentElement.dataset['session'] = session.state.status), true)
const loaded = load(location.pathname)
const tree = (
  <AppContext value={app}>
    <Routes />
  </AppContext>
)
if (place.hasChildNodes()) {
  // Rendered at build: it is read already, and comes alive once its parts are here; without them it stays as it is.
  loaded.then(() => hydrateRoot(place, <Begin>{tree}</Begin>)).catch(() => undefined)
} else {
  loaded.catch(() => undefined) // Drawing it asks again, and shows the failure.
  session.start()
  createRoot(place).render(tree)
}

/** Begins the session once the page has come alive: it was rendered for nobody, and is taken over as it is. */
function Begin({ children }: { children: ReactNode }) {
  useEffect(() => session.start(), [])
  return children
}
