/** What a person set for this browser. Local storage, cleared by Logout like the rest of it. */

/** `system` follows the visitor's system. */
export type Scheme = 'system' | 'light' | 'dark'

const schemeKey = 'sendwright-scheme' // first-paint.ts reads it too.
const sidebarKey = 'sendwright-sidebar'

/** The colour scheme that is set. */
export function readScheme(): Scheme {
  const kept = localStorage.getItem(schemeKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

const followers = new Set<() => void>()

/** Calls back when the colour scheme is set, here or in another tab. Gives its undo. */
export function followScheme(onChange: () => void): () => void {
  followers.add(onChange)
  window.addEventListener('storage', onChange)
  return () => {
    followers.delete(onChange)
    window.removeEventListener('storage', onChange)
  }
}

/** Keeps the colour scheme and shows it. */
export function setScheme(scheme: Scheme): void {
  if (scheme === 'system') {
    localStorage.removeItem(schemeKey)
    delete document.documentElement.dataset['scheme']
  } else {
    localStorage.setItem(schemeKey, scheme)
    document.documentElement.dataset['scheme'] = scheme
  }
  for (const tell of followers) tell()
}

/** Whether the sidebar stands open or narrow. */
export type Sidebar = 'open' | 'collapsed'

export function readSidebar(): Sidebar {
  return localStorage.getItem(sidebarKey) === 'collapsed' ? 'collapsed' : 'open'
}

export function keepSidebar(sidebar: Sidebar): void {
  localStorage.setItem(sidebarKey, sidebar)
}
