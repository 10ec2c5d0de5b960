import type { SidebarGroupId } from '../../contract/account/account.ts'
import type { IconData } from '../../widgets/kit/icon/icon.tsx'
import type { LazyScreen } from './lazy-screen.tsx'

/** An entry of the sidebar. */
export interface SidebarItem {
  /** `start` and `end` are always open. */
  group: 'start' | SidebarGroupId | 'end'
  /** Entries of a group are sorted by it. */
  place: number
  path: string
  text: string
  icon: IconData
  /** Further paths, with all below them, at which the entry is highlighted. */
  also?: readonly string[]
}

/** What a noun adds to the dashboard. */
export interface NounScreens {
  /** Screens by path. */
  screens?: Readonly<Record<string, LazyScreen<object>>>
  /** Screens by the beginning of their path, which ends with an id. */
  screensById?: Readonly<Record<string, LazyScreen<{ id: string }>>>
  sidebar?: readonly SidebarItem[]
}
