import type { SidebarGroupId } from '../contract/account/account.ts'

/**
 * Display preferences. Stored in local storage, for the first paint and for visitors; preferences of signed-in users are
 * also stored on the server (preference-sync.ts).
 */

/** `system` follows the visitor's system. */
export type Scheme = 'system' | 'light' | 'dark'

const schemeKey = 'sendwright-scheme' // first-paint.ts reads it too.
const sidebarKey = 'sendwright-sidebar'

/** The colour scheme that is set. */
export function readScheme(): Scheme {
  const kept = localStorage.getItem(schemeKey) ?? sessionStorage.getItem(schemeKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

// oxlint-disable-next-line sendwright/module-state -- of the page, as its storage
const schemeListeners = new Set<() => void>()

/** Calls back when the colour scheme is set, here or in another tab. Returns its undo. */
export function onSchemeChange(onChange: () => void): () => void {
  schemeListeners.add(onChange)
  window.addEventListener('storage', onChange)
  return () => {
    schemeListeners.delete(onChange)
    window.removeEventListener('storage', onChange)
  }
}

/** Stores and applies the colour scheme. */
export function setScheme(scheme: Scheme): void {
  sessionStorage.removeItem(schemeKey)
  if (scheme === 'system') {
    localStorage.removeItem(schemeKey)
    delete document.documentElement.dataset['scheme']
  } else {
    localStorage.setItem(schemeKey, scheme)
    document.documentElement.dataset['scheme'] = scheme
  }
  for (const tell of schemeListeners) tell()
}

/**
 * Clears all that local storage holds (spec §4). The colour scheme stays with this tab, so that the page that comes next
 * does not flash.
 */
export function clearLocalStorage(): void {
  const scheme = readScheme()
  localStorage.clear()
  if (scheme !== 'system') sessionStorage.setItem(schemeKey, scheme)
}

/** Whether the sidebar is open or collapsed. */
export type Sidebar = 'open' | 'collapsed'

export function readSidebar(): Sidebar {
  return localStorage.getItem(sidebarKey) === 'collapsed' ? 'collapsed' : 'open'
}

export function saveSidebar(sidebar: Sidebar): void {
  localStorage.setItem(sidebarKey, sidebar)
  for (const tell of sidebarListeners) tell()
}

// oxlint-disable-next-line sendwright/module-state -- of the page, as its storage
const sidebarListeners = new Set<() => void>()

/** Calls back when the sidebar was opened or collapsed here. Returns its undo. */
export function onSidebarChange(onChange: () => void): () => void {
  sidebarListeners.add(onChange)
  return () => sidebarListeners.delete(onChange)
}

const undoKey = 'sendwright-undo'
/** For how many seconds a send can be undone; the first is the default. */
export const undoChoices = [10, 0, 5, 20, 30, 60] as const

/** For how many seconds a send can be undone in this browser; 0: not at all. */
export function readUndoSeconds(): number {
  const kept = Number(localStorage.getItem(undoKey) ?? sessionStorage.getItem(undoKey) ?? undoChoices[0])
  return undoChoices.find((seconds) => seconds === kept) ?? undoChoices[0]
}

export function saveUndoSeconds(seconds: number): void {
  localStorage.setItem(undoKey, String(seconds))
}

const foldedKey = 'sendwright-folded'
const groupsByDefault = 'developers'

/** Groups of the sidebar that are folded; Developers until a person changes it. */
export function readFolded(): SidebarGroupId[] {
  const names = (localStorage.getItem(foldedKey) ?? groupsByDefault).split(',')
  return names.filter((name): name is SidebarGroupId => name !== '')
}

export function saveFolded(groups: readonly SidebarGroupId[]): void {
  localStorage.setItem(foldedKey, groups.join())
  for (const tell of foldedListeners) tell()
}

// oxlint-disable-next-line sendwright/module-state -- of the page, as its storage
const foldedListeners = new Set<() => void>()

/** Calls back when groups of the sidebar were folded or unfolded here. Returns its undo. */
export function onFoldedChange(onChange: () => void): () => void {
  foldedListeners.add(onChange)
  return () => foldedListeners.delete(onChange)
}
