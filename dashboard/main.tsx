import { createRoot } from 'react-dom/client'
import { createStoredSession } from '../client/session.ts'
import { AppContext, type App } from './app.ts'
import { go, preload, Routes } from './routes.tsx'
import { createSandboxProbe } from './sandbox-probe.ts'

const wantedKey = 'sendwright-wanted'

const session = createStoredSession({
  apiBase: document.querySelector<HTMLMetaElement>('meta[name=sendwright-api]')?.content ?? '',
  storage: localStorage,
  tabs: window,
  // A refused token on a public page ends quietly. In the dashboard it is asked for again, and leads back to the place.
  onEnded: (reason) => {
    const isInside = location.pathname.startsWith('/dashboard')
    if (reason === 'refused' && isInside) app.wanted.keep(location.pathname + location.search)
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

const place = document.getElementById('app')
if (place === null) throw new Error('The page has no place for the app.')
preload(location.pathname)
session.start()
createRoot(place).render(
  <AppContext value={app}>
    <Routes />
  </AppContext>,
)
